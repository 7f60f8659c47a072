/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive: all batches as they came, CLUSTER-2026-11.ndjson.zst of each month in which they were sealed. `zstd -dc`
 * reads such a file: each batch is a frame, and before it stands a frame that zstd skips, with the batch's name and
 * sum.
 */
#ifndef STINT_ARCHIVE_H
#define STINT_ARCHIVE_H

#include <stdint.h>

#include "common/error.h"
#include "common/memory/map.h"
#include "reports/ingest/batch.h"

#define ARCHIVE_NAME_MAX 300

struct archive {
	int dirfd; /* borrowed */
	int fd;	   /* -1: none is open */
	char name[ARCHIVE_NAME_MAX];
	int64_t end;	 /* where the last whole batch ends */
	struct map tail; /* names of the batches behind the place from which it was read */
	bool written;	 /* and not on the disk for certain */
	struct ZSTD_CCtx_s *packer; /* NULL: none yet */
};

/* Fills @name with the name of the archive to which @batch belongs. */
void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX]);

/*
 * Opens the archive @name below @archive->dirfd, and makes it if it is not there. What a killed process has left behind
 * the last whole batch is cut off.
 *
 * @from: a place up to which it is known to be whole: where a batch ended
 */
int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err);

/* Returns whether the tail has a batch of this name. */
bool archive_has(struct archive *archive, const char *batch);

int archive_append(struct archive *archive, const struct batch *batch, struct error *err);

/* Has all that was appended reach the disk. */
int archive_sync(struct archive *archive, struct error *err);

void archive_close(struct archive *archive);

/* Gets a batch; it is freed afterwards. Returns 0; -1 with @err set, which ends the reading. */
typedef int archive_each(void *context, struct batch *batch, struct error *err);

/*
 * Reads the archive @name from its begin. What follows its last whole batch is left alone. A batch that is damaged gets
 * one line on standard error, and is added to @damaged.
 */
int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err);

#endif
