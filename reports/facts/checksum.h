/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a checksum of the tables' contents. It is the same in each engine, and for the same batches in any order.
 * A word counts by its text and not by its number, and the order of rows does not matter.
 */
#ifndef STINT_CHECKSUM_H
#define STINT_CHECKSUM_H

#include <stdio.h>

#include "reports/database/database.h"

/* Prints a line for each table: its name, its number of rows, and the checksum. Returns 0; -1 with @err set. */
int checksum_print(struct database *db, FILE *out, struct error *err);

#endif
