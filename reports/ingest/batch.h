/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a sealed batch of store lines from STORE_DIR/new, or from memory. docs/store.md describes the format of a
 * batch.
 */
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
	char *name, *text; /* the text has @length bytes, followed by a NUL */
	size_t length;
	char sha256[BATCH_SHA];
	char *cluster, *node, *sealed; /* from the head */
	int64_t line_count, dropped;   /* from the head */
	int64_t packed; /* bytes that it takes in the archive; 0 if it did not come from there */
	struct batch_line {
		struct job_line line;
		size_t number; /* number of the line in the file; the head has number 1 */
		bool damaged;
		struct error reason;
	} *list;
	size_t count;
};

/* Returns whether a batch can have the name @name: NODE.BOOT.SEQUENCE.ndjson. */
bool batch_name_good(const char *name);

/*
 * Reads the file @name below @dirfd. Before it is read, checks that it is a plain file of @owner, has no second link,
 * and is not too large.
 *
 * Returns 0; -1 with @err set if the file is refused or, with errno ENOENT, no longer exists.
 */
int batch_read(int dirfd, const char *name, uid_t owner, struct batch *batch, struct error *err);

/*
 * Reads only which cluster the file @name is of, into @cluster.
 *
 * Returns false if its head does not tell, or does not fit into the first bytes of the file. batch_read() says why.
 */
bool batch_cluster(int dirfd, const char *name, char cluster[BATCH_NAME_MAX + 1]);

/* Like batch_read(), for a batch in memory. Takes ownership of @text, even if it fails. */
int batch_take(const char *name, char *text, size_t length, struct batch *batch, struct error *err);

void batch_free(struct batch *batch);

#endif
