/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a batch from STORE_DIR/new, or from memory. Its format: docs/store.md. */
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
	char *name, *text; /* the text has @length bytes and a NUL after them */
	size_t length;
	char sha256[BATCH_SHA];
	char *cluster, *node, *sealed; /* from the head */
	int64_t line_count, dropped;   /* from the head */
	int64_t packed; /* how many bytes the batch takes in the archive; 0 if the batch was not read from the archive */
	struct batch_line {
		struct job_line line;
		size_t number; /* number of the line in the file, of which the head is line 1 */
		bool damaged;
		struct error reason;
	} *list;
	size_t count;
};

/* Returns whether @name looks like NODE.BOOT.SEQUENCE.ndjson. */
bool batch_name_good(const char *name);

/*
 * Reads the file @name below @dirfd. Refuses the file if it is not a plain file of @owner, if it has several names
 * (hard links), or if it is too large.
 *
 * Returns 0; -1 with @err set. If the file no longer exists, errno is ENOENT.
 */
int batch_read(int dirfd, const char *name, uid_t owner, struct batch *batch, struct error *err);

/*
 * Reads only the first bytes of the file @name, and fills @cluster with the batch's cluster.
 *
 * Returns false if these bytes do not name the cluster. batch_read() then says what is wrong.
 */
bool batch_cluster(int dirfd, const char *name, char cluster[BATCH_NAME_MAX + 1]);

/* Like batch_read(), for a batch in memory. Takes ownership of @text, even if it fails. */
int batch_take(const char *name, char *text, size_t length, struct batch *batch, struct error *err);

void batch_free(struct batch *batch);

#endif
