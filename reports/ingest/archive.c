/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/archive.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "common/cleanup.h"
#include "reports/terminal/progress_line.h"

#define MAGIC 0x184D2A51u /* begins a frame that zstd skips */
#define LEVEL 1 /* level 3 takes 1.5 times as long, and packs lines no better */
#define CLUSTER_MOST 200 /* an archive's name has at most so many characters for the cluster's name; the rest is cut */
#define WORD "stint-1" /* including its NUL */

/* Begins the skippable frame before a batch. The batch's name follows it. Numbers are little-endian. */
struct head {
	uint32_t magic, size; /* size: how many bytes of the frame follow this member */
	char word[sizeof(WORD)];
	uint64_t packed, plain; /* size of the batch in bytes, packed and unpacked */
	char sha256[BATCH_SHA - 1];
} __attribute__((packed));

void archive_name(const struct batch *batch, char name[ARCHIVE_NAME_MAX])
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *sealed = batch->sealed;
	bool dated = strlen(sealed) >= 7 && strspn(sealed, "0123456789") == 4 && sealed[4] == '-' &&
		     strspn(sealed + 5, "0123456789") >= 2;
	size_t used = 0;

	for (const char *at = batch->cluster; *at && used < CLUSTER_MOST; at++)
		used += (size_t)sprintf(name + used, strchr(good, *at) ? "%c" : "%%%02x", (unsigned char)*at);
	snprintf(name + used, ARCHIVE_NAME_MAX - used, "-%.7s.ndjson.zst", dated ? sealed : "unknown");
}

bool archive_cluster(const char *name, char cluster[ARCHIVE_NAME_MAX])
{
	static const char end[] = "-2026-11.ndjson.zst";
	size_t length = strlen(name), used = 0;
	unsigned int byte;

	if (length < sizeof(end) || name[length - strlen(end)] != '-')
		return false;
	length -= strlen(end);
	if (length >= CLUSTER_MOST)
		return false;
	for (size_t i = 0; i < length; i++) {
		byte = (unsigned char)name[i];
		if (byte == '%' && sscanf(name + i + 1, "%2x", &byte) == 1)
			i += 2;
		cluster[used++] = (char)byte;
	}
	cluster[used] = '\0';
	return true;
}

/* ---- reading ---- */

static bool read_at(int fd, void *to, size_t size, int64_t at)
{
	ssize_t got;

	for (size_t done = 0; done < size; done += (size_t)got) {
		got = pread(fd, (char *)to + done, size - done, (off_t)(at + (int64_t)done));
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got <= 0)
			return false;
	}
	return true;
}

struct frame {
	char name[BATCH_NAME_MAX + 1], sha256[BATCH_SHA];
	int64_t at, next; /* offsets of the packed batch, and of the end of the batch, where the next frame begins */
	uint64_t packed, plain;
};

/* Returns false if there is no whole batch at the offset @at. */
static bool read_frame(int fd, int64_t at, int64_t size, struct frame *frame)
{
	struct head head;
	size_t name;

	if (size - at < (int64_t)sizeof(head) || !read_at(fd, &head, sizeof(head), at))
		return false;
	if (le32toh(head.magic) != MAGIC || memcmp(head.word, WORD, sizeof(WORD)) != 0 || le32toh(head.size) < sizeof(head) - 8)
		return false;
	name = le32toh(head.size) - (sizeof(head) - 8);
	frame->packed = le64toh(head.packed);
	frame->plain = le64toh(head.plain);
	if (name > BATCH_NAME_MAX || frame->plain > BATCH_BYTES_MAX || frame->packed > ZSTD_compressBound(BATCH_BYTES_MAX))
		return false;
	frame->at = at + (int64_t)sizeof(head) + (int64_t)name;
	frame->next = frame->at + (int64_t)frame->packed;
	if (frame->next > size || !read_at(fd, frame->name, name, at + (int64_t)sizeof(head)))
		return false;
	frame->name[name] = '\0';
	memcpy(frame->sha256, head.sha256, BATCH_SHA - 1);
	frame->sha256[BATCH_SHA - 1] = '\0';
	return batch_name_good(frame->name);
}

static int64_t size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? 0 : st.st_size;
}

/* ---- appending ---- */

/*
 * Copies the unreadable end of the file before it is cut off. Usually a killed process left this end. But if bytes are
 * damaged, whole batches may follow the damage, and they exist nowhere else.
 */
static int keep_tail(const struct archive *archive, int64_t size, struct error *err)
{
	char name[ARCHIVE_NAME_MAX + 40];
	off_t at = archive->end;
	cleanup_close int fd = -1;

	snprintf(name, sizeof(name), "%s.behind-%lld", archive->name, (long long)archive->end);
	fd = openat(archive->dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0640);
	while (fd >= 0 && at < size && copy_file_range(archive->fd, &at, fd, NULL, (size_t)(size - at), 0) > 0)
		;
	return fd < 0 || at < size || fsync(fd) < 0 ? error_errno(err, "%s", name) : 0;
}

int archive_open(struct archive *archive, const char *name, int64_t from, struct error *err)
{
	struct frame frame;
	int64_t size;

	archive->fd = openat(archive->dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (archive->fd < 0)
		return error_errno(err, "%s", name);
	snprintf(archive->name, sizeof(archive->name), "%s", name);
	size = size_of(archive->fd);
	archive->end = from <= size ? from : 0;
	while (read_frame(archive->fd, archive->end, size, &frame)) {
		if (!map_get(&archive->tail, frame.name, strlen(frame.name)))
			return error_set(err, "out of memory");
		map_get(&archive->tail, frame.name, strlen(frame.name))->number = 1;
		archive->end = frame.next;
	}
	if (archive->end < size && keep_tail(archive, size, err) < 0)
		return -1;
	if (archive->end < size && ftruncate(archive->fd, archive->end) < 0)
		return error_errno(err, "%s", name);
	archive->written = true; /* a killed process may have written to the file without waiting for the disk */
	return 0;
}

bool archive_has(struct archive *archive, const char *batch)
{
	struct map_entry *entry = map_get(&archive->tail, batch, strlen(batch));

	return entry && entry->number;
}

static int write_all(struct archive *archive, const char *bytes, size_t size, struct error *err)
{
	for (size_t done = 0; done < size;) {
		ssize_t put = pwrite(archive->fd, bytes + done, size - done, (off_t)(archive->end + (int64_t)done));

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_errno(err, "%s", archive->name);
		done += (size_t)put;
	}
	archive->end += (int64_t)size;
	return 0;
}

int archive_append(struct archive *archive, const struct batch *batch, struct error *err)
{
	size_t name = strlen(batch->name), before = sizeof(struct head) + name, room = ZSTD_compressBound(batch->length), packed;
	cleanup_free char *bytes = malloc(before + room);
	struct head head = { .magic = htole32(MAGIC), .size = htole32((uint32_t)(before - 8)), .word = WORD,
			     .plain = htole64(batch->length) };

	/* use one context for all batches, because a context takes a megabyte */
	if (!archive->packer)
		archive->packer = ZSTD_createCCtx();
	if (!bytes || !archive->packer)
		return error_set(err, "out of memory");
	packed = ZSTD_compressCCtx(archive->packer, bytes + before, room, batch->text, batch->length, LEVEL);
	if (ZSTD_isError(packed))
		return error_set(err, "%s: %s", archive->name, ZSTD_getErrorName(packed));
	head.packed = htole64(packed);
	memcpy(head.sha256, batch->sha256, BATCH_SHA - 1);
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), batch->name, name);
	if (!map_get(&archive->tail, batch->name, name))
		return error_set(err, "out of memory");
	map_get(&archive->tail, batch->name, name)->number = 1;
	archive->written = true;
	return write_all(archive, bytes, before + packed, err);
}

int archive_sync(struct archive *archive, struct error *err)
{
	if (archive->fd < 0 || !archive->written)
		return 0;
	if (fsync(archive->fd) < 0 || fsync(archive->dirfd) < 0)
		return error_errno(err, "%s", archive->name);
	archive->written = false;
	return 0;
}

void archive_close(struct archive *archive)
{
	if (archive->fd >= 0)
		close(archive->fd);
	archive->fd = -1;
	ZSTD_freeCCtx(archive->packer);
	archive->packer = NULL;
	map_free(&archive->tail);
	archive->name[0] = '\0';
}

/* ---- reading all of it ---- */

static int read_batch(int fd, const struct frame *frame, struct batch *batch, struct error *err)
{
	cleanup_free char *packed = malloc(frame->packed + 1);
	char *text = malloc(frame->plain + 1);
	size_t got;

	if (!packed || !text) {
		free(text);
		return error_set(err, "out of memory");
	}
	got = read_at(fd, packed, frame->packed, frame->at) ? ZSTD_decompress(text, frame->plain, packed, frame->packed) :
							      (size_t)-1;
	if (got != frame->plain) {
		free(text);
		return error_set(err, "%s: stint cannot unpack it", frame->name);
	}
	text[got] = '\0';
	if (batch_take(frame->name, text, got, batch, err) < 0)
		return -1;
	if (strcmp(batch->sha256, frame->sha256) == 0)
		return 0;
	batch_free(batch);
	return error_set(err, "%s: its checksum is wrong", frame->name);
}

int archive_read(int dirfd, const char *name, archive_each *each, void *context, int64_t *damaged, struct error *err)
{
	cleanup_close int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct frame frame;
	int64_t at = 0, size;

	if (fd < 0)
		return error_errno(err, "%s", name);
	size = size_of(fd);
	for (; read_frame(fd, at, size, &frame); at = frame.next) {
		struct batch batch;
		struct error why;
		int result;

		if (read_batch(fd, &frame, &batch, &why) < 0) {
			progress_line_erase();
			fprintf(stderr, "stint ingest: %s: %s\n", name, why.text);
			++*damaged;
			continue;
		}
		batch.packed = frame.next - at;
		result = each(context, &batch, err);
		batch_free(&batch);
		if (result < 0)
			return -1;
	}
	if (at < size) {
		progress_line_erase();
		fprintf(stderr, "stint ingest: %s: the part behind byte %lld is not a batch, so stint left it out\n", name,
			(long long)at);
	}
	return 0;
}
