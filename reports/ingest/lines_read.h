/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and packs the lines of batches in threads on all processors, while the caller does other work. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

struct lines_reader;

/*
 * Starts the threads, which wait for batches. Returns the reader; NULL with @err set if out of memory. @rules must
 * stay valid as long as the reader.
 */
struct lines_reader *lines_reader_new(const struct rules *rules, struct error *err);

/*
 * Lets the threads read those lines of @batch that are not damaged. Marks a line as damaged if it cannot be used.
 * Do not move or access @batch until lines_reader_finish() has returned.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_add(struct lines_reader *reader, struct batch *batch, struct error *err);

/*
 * Reads batches in the calling thread, too, and waits until all batches are read.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_finish(struct lines_reader *reader, struct error *err);

/* Ends the threads. Does not change batches that no thread has begun to read. @reader may be NULL. */
void lines_reader_free(struct lines_reader *reader);

#endif
