/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and packs the lines of batches on all processors, while its caller does other work. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

struct lines_reader;

/*
 * Returns a reader, whose threads wait for batches; NULL with @err set if out of memory. @rules must outlive the
 * reader.
 */
struct lines_reader *lines_reader_new(const struct rules *rules, struct error *err);

/*
 * Lets the threads read the lines of @batch that are not damaged. Lines that cannot be used are marked as damaged. Do
 * not move or access @batch until lines_reader_finish() has returned.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_add(struct lines_reader *reader, struct batch *batch, struct error *err);

/*
 * Helps to read the remaining batches, and waits until all are read.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_finish(struct lines_reader *reader, struct error *err);

/* Ends the threads. Does not change batches that no thread has begun to read. @reader may be NULL. */
void lines_reader_free(struct lines_reader *reader);

#endif
