/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"

#define SUFFIX ".ndjson"
#define HEAD_MAX 4096

bool batch_name_good(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SUFFIX);

	return length > suffix && length <= BATCH_NAME_MAX && name[0] != '.' && strcmp(name + length - suffix, SUFFIX) == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") == length;
}

static void sum_up(struct batch *batch)
{
	struct sha256_ctx context;
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_init(&context);
	sha256_update(&context, batch->length, (const uint8_t *)batch->text);
	sha256_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(batch->sha256 + 2 * i, 3, "%02x", digest[i]);
}

static int copy(struct json_object *head, const char *name, bool needed, char **to, struct error *err)
{
	const char *text = field_text(head, name);

	if (needed && (!text || !*text || strlen(text) > BATCH_NAME_MAX))
		return error_set(err, "the head of the batch has no %s", name);
	*to = strdup(text ? text : "");
	return *to ? 0 : error_set(err, "out of memory");
}

static int read_head(struct batch *batch, size_t length, struct error *err)
{
	cleanup_json struct json_object *head = NULL;
	char text[HEAD_MAX + 1];
	int64_t version;

	if (length > HEAD_MAX)
		return error_set(err, "its first line is not the head of a batch");
	memcpy(text, batch->text, length);
	text[length] = '\0';
	if (!utf8_is_valid(text))
		return error_set(err, "its first line is not UTF-8");
	head = field_parse(text, length, batch->name, json_type_object, err);
	if (!head || !field_count(head, "store_batch", &version))
		return error_set(err, "its first line is not the head of a batch");
	if (version != 1)
		return error_set(err, "a batch of version %lld, but this stint reads version 1", (long long)version);
	if (copy(head, "cluster", true, &batch->cluster, err) < 0 || copy(head, "node", true, &batch->node, err) < 0 ||
	    copy(head, "sealed", false, &batch->sealed, err) < 0)
		return -1;
	if (!field_count(head, "lines", &batch->line_count) || batch->line_count > BATCH_LINES_MAX)
		return error_set(err, "the head of the batch does not give a number of lines up to %d", BATCH_LINES_MAX);
	field_count(head, "dropped", &batch->dropped);
	return 0;
}

static struct batch_line *add_line(struct batch *batch, char *text, size_t length)
{
	struct batch_line *line = &batch->list[batch->count++];

	line->number = batch->count + 1;
	line->line.text = text;
	line->line.length = length;
	return line;
}

static void damage(struct batch_line *line, const char *reason)
{
	line->damaged = true;
	error_set(&line->reason, "%s", reason);
}

/*
 * Reads at most as many lines as the head says. If the file ends early, uses those lines that are whole. If the file
 * has fewer or more lines, adds a damaged line.
 */
static void read_lines(struct batch *batch, char *at)
{
	char *end = batch->text + batch->length;

	while (at < end && (int64_t)batch->count < batch->line_count) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		struct batch_line *line = add_line(batch, at, (size_t)((stop ? stop + 1 : end) - at));

		if (!stop)
			damage(line, "the file ends within this line");
		at += line->line.length;
	}
	if (at < end)
		damage(add_line(batch, at, (size_t)(end - at)), "more lines than the head says");
	else if ((int64_t)batch->count < batch->line_count)
		damage(add_line(batch, at, 0), "the file ends early");
}

static int parse_batch(struct batch *batch, struct error *err)
{
	char *stop = memchr(batch->text, '\n', batch->length);

	sum_up(batch);
	if (!stop || strlen(batch->text) != batch->length)
		return error_set(err, stop ? "it has bytes that are not text" : "its first line is not the head of a batch");
	if (read_head(batch, (size_t)(stop - batch->text), err) < 0)
		return -1;
	batch->list = calloc((size_t)batch->line_count + 1, sizeof(*batch->list));
	if (!batch->list)
		return error_set(err, "out of memory");
	read_lines(batch, stop + 1);
	return 0;
}

int batch_take(const char *name, char *text, size_t length, struct batch *batch, struct error *err)
{
	struct error why;

	*batch = (struct batch){ .name = strdup(name), .text = text, .length = length };
	if (!batch->name)
		error_set(&why, "out of memory");
	else if (parse_batch(batch, &why) == 0)
		return 0;
	batch_free(batch);
	errno = EBADMSG;
	return error_set(err, "%s: %s", name, why.text);
}

static int check(const struct stat *st, uid_t owner, struct error *err)
{
	if (!S_ISREG(st->st_mode))
		return error_set(err, "no plain file");
	if (st->st_uid != owner)
		return error_set(err, "it belongs to user %lu, not to the store's user %lu", (unsigned long)st->st_uid,
				 (unsigned long)owner);
	if (st->st_nlink > 1)
		return error_set(err, "it has another hard link");
	if (st->st_size > BATCH_BYTES_MAX)
		return error_set(err, "larger than %u bytes", BATCH_BYTES_MAX);
	return 0;
}

int batch_read(int dirfd, const char *name, uid_t owner, struct batch *batch, struct error *err)
{
	/* O_NONBLOCK: does not wait if the file is a pipe or a device, which are refused */
	cleanup_close int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct error why;
	struct stat st;
	size_t length;
	char *text;

	if (fd < 0 && (errno == ELOOP || errno == ENXIO))
		return error_set(err, "%s: no plain file", name);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "%s", name);
	if (check(&st, owner, &why) < 0) {
		errno = EPERM;
		return error_set(err, "%s: %s", name, why.text);
	}
	text = file_read_known(fd, &st, name, BATCH_BYTES_MAX, &length, err);
	return text ? batch_take(name, text, length, batch, err) : -1;
}

bool batch_cluster(int dirfd, const char *name, char cluster[BATCH_NAME_MAX + 1])
{
	cleanup_close int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	cleanup_json struct json_object *head = NULL;
	char text[HEAD_MAX + 1];
	const char *end, *found;
	struct error why;
	ssize_t got = fd < 0 ? -1 : pread(fd, text, HEAD_MAX, 0);

	if (got <= 0)
		return false;
	text[got] = '\0';
	end = memchr(text, '\n', (size_t)got);
	if (!end)
		return false;
	text[end - text] = '\0';
	head = utf8_is_valid(text) ? field_parse(text, (size_t)(end - text), name, json_type_object, &why) : NULL;
	found = head ? field_text(head, "cluster") : NULL;
	if (!found || !*found || strlen(found) > BATCH_NAME_MAX)
		return false;
	strcpy(cluster, found);
	return true;
}

void batch_free(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		job_line_free(&batch->list[i].line);
	free(batch->list);
	free(batch->name);
	free(batch->text);
	free(batch->cluster);
	free(batch->node);
	free(batch->sealed);
	*batch = (struct batch){ 0 };
}
