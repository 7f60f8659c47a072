/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a checksum of what the tables contain. The checksum is the same for SQLite and PostgreSQL, and the same
 * if batches come in another order. It uses the text of each word, because the number of a word depends on the
 * order.
 */
#ifndef STINT_CHECKSUM_H
#define STINT_CHECKSUM_H

#include <stdio.h>

#include "reports/database/database.h"

/*
 * Prints a line for each table with its name, how many rows it has, and the checksum. Returns 0; -1 with @err set.
 */
int checksum_print(struct database *db, FILE *out, struct error *err);

#endif
