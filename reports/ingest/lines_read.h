/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the lines of batches in threads, while the caller does other work. */
#ifndef STINT_LINES_READ_H
#define STINT_LINES_READ_H

#include "reports/ingest/batch.h"

struct lines_reader;

/* Starts the threads. @rules must outlive the reader. Returns NULL with @err set if out of memory. */
struct lines_reader *lines_reader_new(const struct rules *rules, struct error *err);

/*
 * Lets the threads read @batch, and mark unusable lines as damaged. Do not touch @batch until lines_reader_finish() has
 * returned.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_add(struct lines_reader *reader, struct batch *batch, struct error *err);

/*
 * The calling thread also reads lines. Returns when all batches are read. Returns 0; -1 with @err set if out of memory.
 */
int lines_reader_finish(struct lines_reader *reader, struct error *err);

/* Ends the threads. @reader may be NULL. */
void lines_reader_free(struct lines_reader *reader);

#endif
