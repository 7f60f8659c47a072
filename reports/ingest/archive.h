/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive: all batches as they came, in a file CLUSTER-2026-11.ndjson.zst for each month in which they were sealed. `zstd -dc`
 * reads such a file: each batch is a frame. A skippable frame before it has the batch's name and checksum.
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
	int64_t end;	 /* offset at which the last whole batch ends */
	struct map tail; /* names of the batches after the offset from which it was read */
	bool written;	 /* something was written that may not be on the disk yet */
	struct ZSTD_CCtx_s *packer; /* NULL: none yet */
};

/* Fills @name with the name of the archive to which @batch belongs. */
void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX]);

/*
 * Opens the archive @name below @archive->dirfd, and creates it if it does not exist. Cuts off what a killed process left after the
 * last whole batch.
 *
 * @from: an offset up to which the archive is known to be whole: the end of a batch
 */
int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err);

/* Returns whether the tail has a batch of this name. */
bool archive_has(struct archive *archive, const char *batch);

int archive_append(struct archive *archive, const struct batch *batch, struct error *err);

/* Flushes everything that was appended to the disk. */
int archive_sync(struct archive *archive, struct error *err);

void archive_close(struct archive *archive);

/* Gets a batch, which is freed afterwards. Returns 0; -1 with @err set stops the reading. */
typedef int archive_each(void *context, struct batch *batch, struct error *err);

/*
 * Reads the archive @name from its start. Ignores what follows its last whole batch. For a damaged batch, prints one line on
 * standard error, and counts it in @damaged.
 */
int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err);

#endif
