/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and packs the lines of many batches, on all processors, while its caller does something else. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

struct lines_reading;

/*
 * Begins to read the lines of @count @batches that are not damaged; those that nobody can use are damaged then. The batches stay
 * where they are until the end of it, and nobody looks at them.
 *
 * Returns what lines_read_end() takes; NULL with @err set when memory is short.
 */
struct lines_reading *lines_read_begin(struct batch *const *batches, size_t count, const struct rules *rules,
				       struct error *err);

/*
 * Helps with what is left, waits for its end, and frees @reading.
 *
 * Returns 0; -1 with @err set when memory was short.
 */
int lines_read_end(struct lines_reading *reading, struct error *err);

#endif
