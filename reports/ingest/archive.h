/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps all batches as they were received. The archive is a directory with a file for each cluster and month, such
 * as CLUSTER-2026-11.ndjson.zst. A batch is in the file of the month in which it was sealed. `zstd -dc` can read
 * the file. In it, each batch is a frame, and a skippable frame before the batch has the batch's name and
 * checksum.
 */
#ifndef STINT_ARCHIVE_H
#define STINT_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/memory/map.h"
#include "reports/ingest/batch.h"

#define ARCHIVE_NAME_MAX 300

struct archive {
	int dirfd; /* borrowed */
	int fd;	   /* -1 if no file is open */
	char name[ARCHIVE_NAME_MAX];
	int64_t end;	 /* offset in the file at which the last whole batch ends */
	struct map tail; /* names of the batches that archive_open() has read or archive_append() has written */
	bool written;	 /* something was written that may not be on the disk yet */
	struct ZSTD_CCtx_s *packer; /* NULL: none yet */
};

/* Fills @name with the name of the file that @batch belongs to. */
void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX]);

/*
 * Fills @cluster with the cluster whose batches the file @name has. Returns false if the name does not tell,
 * because it is not a file of the archive, or because the cluster's name was too long and was cut.
 */
bool archive_cluster(const char *name, char cluster[ARCHIVE_NAME_MAX]);

/*
 * Opens the file @name below @archive->dirfd. Creates it if it does not exist. Cuts off everything after the last
 * whole batch, which a killed process left.
 *
 * @from: the file is known to be whole up to this offset, at which a batch ends
 *
 * Returns 0; -1 with @err set.
 */
int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err);

/* Returns whether archive->tail has the batch @batch. */
bool archive_has(struct archive *archive, const char *batch);

int archive_append(struct archive *archive, const struct batch *batch, struct error *err);

/* Waits until everything that was appended is on the disk. Returns 0; -1 with @err set. */
int archive_sync(struct archive *archive, struct error *err);

void archive_close(struct archive *archive);

/* Receives a batch, which is freed after the call. Returns 0; -1 with @err set to stop the reading. */
typedef int archive_each(void *context, struct batch *batch, struct error *err);

/*
 * Reads the file @name from its start, and calls @each for each batch. Ignores everything after the last whole
 * batch. If a batch is damaged, prints a line on standard error, and increments @damaged.
 */
int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err);

#endif
