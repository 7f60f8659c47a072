/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files with the most bytes read and written, and the files that were opened most often. */
#ifndef STINT_REPORT_FILES_H
#define STINT_REPORT_FILES_H

#include <stddef.h>

#include "reports/records/making.h"

/*
 * Sets the report's files and files_count if every node counted files. A file of a network file system is the same on
 * all nodes that have its path. Any other file belongs to its node.
 */
void files_put(const struct record *const records[], size_t count, struct making *making);

/*
 * Keeps the @max files of the record with the most bytes and the @max with the most opens. If there were more files,
 * adds a gap to the record. This bounds how much each node adds to a report.
 */
void files_trim(struct record *record, size_t max);

#endif
