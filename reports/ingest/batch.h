/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sealed batch of store lines, in STORE_DIR/new or in an archive. docs/store.md describes its format. */
#ifndef STINT_BATCH_H
#define STINT_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/facts/job_lines.h"

#define BATCH_BYTES_MAX (8704u << 10)
#define BATCH_LINES_MAX 256
#define BATCH_NAME_MAX 255
#define BATCH_SHA 65

struct batch {
	char *name, *text; /* the text has @length bytes and a NUL */
	size_t length;
	char sha256[BATCH_SHA];
	char *cluster, *node, *sealed; /* from the head */
	int64_t line_count, dropped;   /* from the head */
	struct batch_line {
		struct job_line line;
		size_t number; /* line number in the file; the head is 1 */
		bool damaged;
		struct error reason;
	} *list;
	size_t count;
};

/* Returns whether a batch can have the name @name: NODE.BOOT.SEQUENCE.ndjson. */
bool batch_name_good(const char *name);

/*
 * Reads the file @name below @dirfd. It must be a plain file of @owner, without a second link and not too large. All this is
 * checked before the file is read.
 *
 * Returns 0; -1 with @err set: it is refused, or (errno ENOENT) it is gone.
 */
int batch_read(int dirfd, const char *name, uid_t owner, struct batch *batch, struct error *err);

/* The same for a batch that is in memory. Takes over @text, even if it fails. */
int batch_take(const char *name, char *text, size_t length, struct batch *batch, struct error *err);

void batch_free(struct batch *batch);

#endif
