/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A checksum of the tables' contents. It is the same in each engine, and for the same batches in any order. Words count by their
 * text and not by their numbers, and rows count in any order.
 */
#ifndef STINT_CHECKSUM_H
#define STINT_CHECKSUM_H

#include <stdio.h>

#include "reports/database/database.h"

/* Prints a line for each table: its name, its number of rows, the checksum. Returns 0; -1 with @err set. */
int checksum_print(struct database *db, FILE *out, struct error *err);

#endif
