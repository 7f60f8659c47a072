/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps all batches as they were received.
 *
 * The archive is a directory with a file for each cluster and month, such as CLUSTER-2026-11.ndjson.zst. A batch
 * belongs to the month in which it was sealed. Each batch is a zstd frame. A skippable frame before the batch has the
 * batch's name and checksum.
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

/* Fills @name with the name of the batch's file. */
void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX]);

/*
 * Fills @cluster with the cluster of the file @name. Returns false if the name is no archive's name, or if the
 * cluster's name in it was cut.
 */
bool archive_cluster(const char *name, char cluster[ARCHIVE_NAME_MAX]);

/*
 * Opens or creates the file @name below @archive->dirfd. Cuts off what a killed process left after the last whole
 * batch.
 *
 * @from: an offset at which a batch ends; up to this offset, the file is known to be whole
 *
 * Returns 0; -1 with @err set.
 */
int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err);

/* Returns whether archive->tail has the batch @batch. */
bool archive_has(struct archive *archive, const char *batch);

int archive_append(struct archive *archive, const struct batch *batch, struct error *err);

/* Waits until all appended batches are on the disk. Returns 0; -1 with @err set. */
int archive_sync(struct archive *archive, struct error *err);

void archive_close(struct archive *archive);

/* Receives a batch, which is freed after the call. Returns 0; -1 with @err set to stop the reading. */
typedef int archive_each(void *context, struct batch *batch, struct error *err);

/*
 * Calls @each for each batch in the file @name. Ignores what follows the last whole batch. For a damaged batch, prints
 * a line on standard error and increments @damaged.
 *
 * Returns 0; -1 with @err set.
 */
int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err);

#endif
