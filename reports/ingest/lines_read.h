/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and packs the lines of many batches, on all processors. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

/*
 * Reads the lines of @count @batches that are not damaged; those that nobody can use are damaged then.
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int lines_read(struct batch *const *batches, size_t count, const struct rules *rules, struct error *err);

#endif
