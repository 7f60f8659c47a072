/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files from and to which the job read and wrote the most bytes, and the files that it opened most often. */
#ifndef STINT_REPORT_FILES_H
#define STINT_REPORT_FILES_H

#include <stddef.h>

#include "reports/records/making.h"

/*
 * Sets files and files_count of the report, if every node counted files. If two nodes name the same path on a network
 * file system, it is one file. On any other file system, each node has its own file.
 */
void files_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Keeps the @max files of the record with the most bytes, and the @max files with the most opens. If it drops files,
 * adds a gap to the record. This limits how much each node adds to a report.
 */
void files_trim(struct record *record, size_t max);

#endif
