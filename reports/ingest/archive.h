/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive contains all batches as they were received. There is a file CLUSTER-2026-11.ndjson.zst for each month
 * in which batches were sealed. `zstd -dc` can read such a file, in which each batch is a frame. A skippable frame
 * before each batch has the batch's name and checksum.
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
	int fd;	   /* -1 if no archive is open */
	char name[ARCHIVE_NAME_MAX];
	int64_t end;	 /* offset of the end of the last whole batch */
	struct map tail; /* names of the batches after the offset at which the reading began */
	bool written;	 /* something was written that may not be on the disk yet */
	struct ZSTD_CCtx_s *packer; /* NULL: none yet */
};

/* Fills @name with the name of the archive that @batch belongs to. */
void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX]);

/*
 * Fills @cluster with the cluster whose batches the archive @name has. Returns false if the name does not say that: it is
 * another file's, or the cluster's own name was too long for it.
 */
bool archive_cluster(const char *name, char cluster[ARCHIVE_NAME_MAX]);

/*
 * Opens the archive @name below @archive->dirfd. Creates it if it does not exist. Cuts off what a killed process left
 * after the last whole batch.
 *
 * @from: the end of a batch, up to which the archive is known to be whole
 */
int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err);

/* Returns whether archive->tail has a batch of this name. */
bool archive_has(struct archive *archive, const char *batch);

int archive_append(struct archive *archive, const struct batch *batch, struct error *err);

/* Flushes to the disk everything that was appended. Returns 0; -1 with @err set. */
int archive_sync(struct archive *archive, struct error *err);

void archive_close(struct archive *archive);

/* Receives a batch, which is freed after the call. Returns 0; -1 with @err set, which ends the reading. */
typedef int archive_each(void *context, struct batch *batch, struct error *err);

/*
 * Reads the archive @name from its start. Ignores everything after its last whole batch. For each damaged batch,
 * prints a line on standard error, and increments @damaged.
 */
int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err);

#endif
