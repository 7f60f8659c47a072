/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files with the most bytes, and the files with the most opens. */
#ifndef STINT_REPORT_FILES_H
#define STINT_REPORT_FILES_H

#include <stddef.h>

#include "reports/records/making.h"

/*
 * Sets files and files_count of the report, if every node counted files.
 * On a network file system, the same path on two nodes is one file. Elsewhere, it is two files.
 */
void files_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Keeps the @max files with the most bytes, and the @max files with the most opens. Adds a gap if it drops a file.
 * This limits what each node adds to a report.
 */
void files_trim(struct record *record, size_t max);

#endif
