/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and packs the lines of batches, on all processors, while its caller does something else. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

struct lines_reader;

/* Returns a reader, whose threads wait for batches; NULL with @err set when memory is short. @rules: live as long as it. */
struct lines_reader *lines_reader_new(const struct rules *rules, struct error *err);

/*
 * Has the lines of @batch read that are not damaged; those that nobody can use are damaged then. It stays where it is, and
 * nobody looks at it, until lines_reader_finish() has returned.
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int lines_reader_add(struct lines_reader *reader, struct batch *batch, struct error *err);

/*
 * Helps with the batches that are not read yet, and waits until all are.
 *
 * Returns 0; -1 with @err set when memory was short.
 */
int lines_reader_finish(struct lines_reader *reader, struct error *err);

/* Ends the threads; batches that nobody has begun to read stay as they are. NULL is allowed. */
void lines_reader_free(struct lines_reader *reader);

#endif
