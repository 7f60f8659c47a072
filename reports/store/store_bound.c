/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounds the backlog. The user with the most bytes loses lines first, so nobody loses lines because of another user. */
#include "reports/store/store_backlog_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

/* The files of one user in the sorted list. */
struct share {
	const struct store_file *begin, *end;
	const struct store_file *kept; /* the oldest file that is kept */
	uint64_t bytes; /* total bytes of the kept files */
};

struct shares {
	struct share *list;
	size_t count;
};

/* ---- dropping ---- */

static bool is_batch(const struct store_file *file)
{
	return store_batch_is_name(file->name);
}

static int drop_batch(struct store_backlog *backlog, const struct store_file *batch, struct error *err)
{
	char head[STORE_BATCH_HEAD_MAX];
	cleanup_close int fd = store_backlog_open_batch(backlog, batch->name, err);
	ssize_t length = fd < 0 ? -1 : read(fd, head, sizeof(head));

	backlog->state.dropped += length > 0 ? store_batch_head_lines(head, (size_t)length) : 0;
	snprintf(backlog->state.dropping, sizeof(backlog->state.dropping), "%s", batch->name);
	if (store_state_write(backlog, err) < 0)
		return -1;
	return store_backlog_remove(backlog, batch->name, err);
}

static int drop_lines(struct store_backlog *backlog, const struct share *share, struct error *err)
{
	uint64_t lines = 0;

	for (const struct store_file *file = share->begin; file < share->kept; file++)
		lines += !is_batch(file);
	backlog->state.dropped += lines;
	if (lines && store_state_write(backlog, err) < 0)
		return -1;
	for (const struct store_file *file = share->begin; lines && file < share->kept; file++)
		if (!is_batch(file))
			unlinkat(backlog->lines_fd, file->name, 0);
	return 0;
}

static int drop(struct store_backlog *backlog, const struct share *share, struct error *err)
{
	for (const struct store_file *file = share->begin; file < share->kept; file++)
		if (is_batch(file) && drop_batch(backlog, file, err) < 0)
			return -1;
	return drop_lines(backlog, share, err);
}

/* ---- choosing what to drop ---- */

/* @files: sorted by user. Returns 0; -1 with @err set. */
static int divide(const struct store_files *files, struct shares *shares, struct error *err)
{
	shares->list = calloc(files->count + 1, sizeof(*shares->list));
	if (!shares->list)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < files->count; i++) {
		const struct store_file *file = &files->files[i];
		struct share *share;

		if (i == 0 || file->uid != file[-1].uid)
			shares->list[shares->count++] = (struct share){ .begin = file, .kept = file };
		share = &shares->list[shares->count - 1];
		share->bytes += file->bytes;
		share->end = file + 1;
	}
	return 0;
}

/* Returns the largest share that still keeps a file; NULL if no share keeps a file. */
static struct share *find_largest(const struct shares *shares)
{
	struct share *largest = NULL;

	for (struct share *share = shares->list; share < shares->list + shares->count; share++)
		if (share->kept < share->end && (!largest || share->bytes > largest->bytes))
			largest = share;
	return largest;
}

/*
 * Chooses files to drop until at most @max_bytes of @bytes remain. Returns the share that was reduced last; NULL if no
 * share was reduced.
 */
static const struct share *choose(const struct shares *shares, uint64_t bytes, uint64_t max_bytes)
{
	struct share *largest = NULL;

	while (bytes > max_bytes) {
		struct share *next = find_largest(shares);

		if (!next)
			break;
		largest = next;
		bytes -= largest->kept->bytes;
		largest->bytes -= largest->kept->bytes;
		largest->kept++;
	}
	return largest;
}

static int list_all(const struct store_backlog *backlog, struct store_files *all, struct error *err)
{
	cleanup_files struct store_files lines = { 0 }, batches = { 0 };

	if (store_files_list(backlog->lines_fd, "", &lines, err) < 0 ||
	    store_files_list(backlog->batches_fd, STORE_BATCH_SUFFIX, &batches, err) < 0)
		return -1;
	all->files = calloc(lines.count + batches.count + 1, sizeof(*all->files));
	if (!all->files)
		return error_set(err, "out of memory");
	if (lines.count)
		memcpy(all->files, lines.files, lines.count * sizeof(*all->files));
	if (batches.count)
		memcpy(all->files + lines.count, batches.files, batches.count * sizeof(*all->files));
	all->count = lines.count + batches.count;
	store_files_by_user(all);
	return 0;
}

int store_backlog_bound(struct store_backlog *backlog, uint64_t max_bytes, uint32_t *uid, struct error *err)
{
	cleanup_files struct store_files all = { 0 };
	struct store_backlog_counts counts;
	struct shares shares = { 0 };
	const struct share *last;
	int result = 0;

	store_backlog_count(backlog, &counts);
	if (counts.bytes <= max_bytes)
		return 0;
	if (list_all(backlog, &all, err) < 0 || divide(&all, &shares, err) < 0)
		return -1;
	last = choose(&shares, counts.bytes, max_bytes);
	if (last && uid)
		*uid = last->begin->uid;
	for (size_t i = 0; result == 0 && i < shares.count; i++)
		result = drop(backlog, &shares.list[i], err);
	free(shares.list);
	return result;
}
