/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a checksum of the tables. The checksum is the same in SQLite and PostgreSQL, and for any order of batches.
 */
#ifndef STINT_CHECKSUM_H
#define STINT_CHECKSUM_H

#include <stdio.h>

#include "reports/database/database.h"

/* Prints the name, the number of rows and the checksum of each table. Returns 0; -1 with @err set. */
int checksum_print(struct database *db, FILE *out, struct error *err);

#endif
