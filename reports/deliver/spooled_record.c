/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/spooled_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/log_line.h"
#include "common/record_name.h"
#include "reports/build/record_join.h"
#include "reports/json/field.h"

#define JOINED_BYTES_MAX (32 << 20) /* of all records that one goes on from: once parsed, they take several times that */

struct json_object *spooled_record_read(int dirfd, const char *name, struct record_identity *identity,
					struct error *err)
{
	size_t length = 0;
	cleanup_free char *data = file_read(dirfd, name, RECORD_BYTES_MAX, &length, err);
	const char *text = data;
	struct json_object *record;

	if (!data) {
		errno = errno == EBADMSG ? EIO : errno; /* a disk's damage need not be the record's */
		return NULL;
	}
	errno = 0;
	if (frame_begins(data, length))
		text = frame_content(data, length, FRAME_RECORD, name, &length, err);
	record = text ? record_parse(text, length, name, identity, err) : NULL;
	if (!record && errno != EPROTONOSUPPORT && errno != ENOMEM)
		errno = EBADMSG;
	return record;
}

/* Joins the record @name of @dirfd to @record. Returns 0; -1 with @err set. */
static int join_one(int dirfd, const char *name, int64_t *left, struct json_object *record, struct error *err)
{
	struct record_identity identity;
	cleanup_json struct json_object *former = NULL;
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "fstatat");
	*left -= st.st_size;
	if (*left < 0)
		return error_set(err, "all of them together are too large");
	former = spooled_record_read(dirfd, name, &identity, err);
	return former ? record_join(former, record, err) : -1;
}

/* The latest one first: each goes on from the one before. */
static void join_all(int dirfd, const struct record_chain *chain, struct json_object *record)
{
	int64_t left = JOINED_BYTES_MAX;
	struct error err;

	for (int i = chain->count - 1; i >= 0; i--)
		if (join_one(dirfd, chain->names[i], &left, record, &err) < 0) {
			log_line(LOG_WARNING, "stint-epilog", "%s is not joined to the record that goes on from it: %s",
				 chain->names[i], err.text);
			return;
		}
}

void spooled_record_join(struct json_object *record, const char *path)
{
	const char *name = strrchr(path, '/');
	cleanup_free char *directory = name ? strndup(path, name - path + 1) : NULL;
	cleanup_close int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct record_chain chain = { 0 };

	if (fd >= 0)
		chain = record_chain_find(fd, name + 1);
	join_all(fd, &chain, record);
	record_chain_free(&chain);
	if (field_true(record, "continues"))
		record_join_lacking(record);
	json_object_object_del(record, "continues");
}
