/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tables say, as a sum: the same in each engine, and for the same batches in whatever order they came. Words
 * count as words, not by their numbers; rows count in any order.
 */
#ifndef STINT_CHECKSUM_H
#define STINT_CHECKSUM_H

#include <stdio.h>

#include "reports/database/database.h"

/* Prints a line for each table: its name, how many rows, the sum. Returns 0; -1 with @err set. */
int checksum_print(struct database *db, FILE *out, struct error *err);

#endif
