/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/spooled_record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/log_line.h"
#include "common/memory/array.h"
#include "common/memory/memory_limit.h"
#include "common/record_name.h"
#include "reports/builder/record_join.h"

#define CHAIN_MAX 1024 /* records of a job */
#define JOINED_BYTES_MAX (32 << 20) /* in one try */

struct record *spooled_record_read(int dirfd, const char *name, struct record_identity *identity, struct error *err)
{
	size_t length = 0;
	char *data = file_read(dirfd, name, RECORD_BYTES_MAX, &length, err);
	const char *text = data;
	struct record *record = NULL;

	if (!data) {
		errno = errno == EBADMSG ? EIO : errno; /* the disk is damaged, not the record */
		return NULL;
	}
	errno = 0;
	if (frame_begins(data, length))
		text = frame_content(data, length, FRAME_RECORD, name, &length, err);
	if (text) {
		memmove(data, text, length);
		data[length] = '\0';
		record = record_read(data, length, NULL, name, identity, err);
	} else {
		free(data);
	}
	if (!record && errno != EPROTONOSUPPORT && errno != ENOMEM)
		errno = EBADMSG;
	return record;
}

struct chain {
	struct link {
		char name[256];
		int place;
	} *links; /* the earliest first */
	int count;
};

static int by_name(const void *left, const void *right)
{
	return record_name_order(((const struct link *)left)->name, ((const struct link *)right)->name);
}

static bool add(struct chain *chain, const char *name, int place)
{
	if (chain->count >= CHAIN_MAX || strlen(name) >= sizeof(chain->links->name) ||
	    !array_room(&chain->links, chain->count, sizeof(*chain->links)))
		return false;
	strcpy(chain->links[chain->count].name, name);
	chain->links[chain->count++].place = place;
	return true;
}

/* Finds the latest record that continues no other record. Keeps this record and all later records. */
static void cut(struct chain *chain)
{
	struct record_name read;
	int first = chain->count;

	qsort(chain->links, chain->count, sizeof(*chain->links), by_name);
	while (first > 0 && record_name_read(chain->links[--first].name, &read) && read.continues)
		;
	chain->count -= first;
	memmove(chain->links, chain->links + first, chain->count * sizeof(*chain->links));
}

struct joining {
	struct record *record;
	int places[RECORD_PLACES]; /* -1: not open */
	struct chain chain;
	int first; /* index of the earliest record to join */
};

/* Adds the records in @path that @name continues. Returns 0; -1 with @err set. */
static int search_place(struct joining *joining, int place, const char *path, const char *name, struct error *err)
{
	struct file_names names = { .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	const char *each;

	joining->places[place] = names.fd;
	if (names.fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "%s", path);
	while ((errno = 0, each = file_names_next(&names)))
		if (record_name_follows(name, each) && !add(&joining->chain, each, place))
			return 0;
	return errno ? error_errno(err, "%s", path) : 0;
}

/*
 * Finds the records that @name continues. If out of memory, may miss some (memory_failures()).
 * Returns 0; -1 with @err set if a directory cannot be read.
 */
static int find_chain(struct joining *joining, const struct conf *conf, const char *name, struct error *err)
{
	char reserve[PATH_MAX + sizeof(RECORD_RESERVE) + 1];

	snprintf(reserve, sizeof(reserve), "%s/" RECORD_RESERVE, conf->run_dir);
	if (search_place(joining, 0, conf->spool_dir, name, err) < 0 || search_place(joining, 1, reserve, name, err) < 0) {
		joining->chain.count = 0; /* the other records stay where they are */
		return -1;
	}
	if (joining->chain.count)
		cut(&joining->chain);
	joining->first = joining->chain.count;
	return 0;
}

static void close_places(struct joining *joining)
{
	for (int i = 0; i < RECORD_PLACES; i++)
		if (joining->places[i] >= 0)
			close(joining->places[i]);
	free(joining->chain.links);
}

/* Returns true if a retry may succeed after the errno @why. */
static bool may_pass(int why)
{
	return why != ENOENT && why != EBADMSG && why != EPROTONOSUPPORT;
}

/*
 * Returns 1 if the record was joined; 0 if it cannot be joined, which is logged; -1 with @err set if a retry may
 * succeed.
 */
static int join_one(struct joining *joining, const struct link *link, struct error *err)
{
	struct record_identity identity;
	cleanup_record struct record *former =
		spooled_record_read(joining->places[link->place], link->name, &identity, err);

	if (former)
		return record_join(former, joining->record, err) < 0 ? -1 : 1;
	if (may_pass(errno))
		return -1;
	log_line(LOG_WARNING, "stint-epilog", "cannot join %s to the record that continues it: %s", link->name,
		 err->text);
	return 0;
}

static int64_t size_of(const struct joining *joining, const struct link *link)
{
	struct stat st;

	return fstatat(joining->places[link->place], link->name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_size : 0;
}

/* Joins the latest record first. Returns 0; -1 with @err set if some were not tried. */
static int join_all(struct joining *joining, struct error *err)
{
	int64_t bytes = 0;
	int result = 1;

	while (joining->first > 0 && result > 0) {
		const struct link *link = &joining->chain.links[joining->first - 1];

		bytes += size_of(joining, link);
		if (bytes > JOINED_BYTES_MAX && joining->first < joining->chain.count)
			return error_set(err, "only a part of the job's records is joined yet");
		result = join_one(joining, link, err);
		joining->first -= result > 0;
	}
	return result < 0 ? -1 : 0;
}

/* Writes the joined record to @path. Keeps the file's time, which is the record's age for the spool. */
static int write_back(const struct joining *joining, const char *path, struct error *err)
{
	const char *name = strrchr(path, '/') + 1;
	cleanup_free char *directory = strndup(path, name - path), *text = NULL, *frame = NULL;
	cleanup_close int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct stat st;
	size_t length, size;

	if (fd < 0 || fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "%s", path);
	text = record_write(joining->record, &length);
	frame = text ? frame_make(FRAME_RECORD, text, length, &size) : NULL;
	if (!frame)
		return error_set(err, "out of memory");
	if (file_write(fd, name, 0600, frame, size, err) < 0)
		return -1;
	utimensat(fd, name, (const struct timespec[2]){ st.st_atim, st.st_mtim }, AT_SYMLINK_NOFOLLOW);
	return 0;
}

static void remove_joined(const struct joining *joining)
{
	for (int i = joining->first; i < joining->chain.count; i++)
		unlinkat(joining->places[joining->chain.links[i].place], joining->chain.links[i].name, 0);
}

int spooled_record_join(struct record *record, const char *path, const struct conf *conf, struct error *err)
{
	const char *name = strrchr(path, '/');
	struct joining joining = { .record = record, .places = { -1, -1 } };
	unsigned long failures = memory_failures();
	struct record_name read;
	struct error why;
	int result = 0;

	if (name && record_name_read(name + 1, &read) && read.continues) {
		result = find_chain(&joining, conf, name + 1, err);
		if (result == 0)
			result = memory_failures() == failures ? join_all(&joining, err) : error_set(err, "out of memory");
		/* If this fails, the other records stay in the spool. They do no harm when they are delivered. */
		if (joining.first < joining.chain.count && !report_lacks_memory(record_memory(record)) &&
		    write_back(&joining, path, &why) == 0)
			remove_joined(&joining);
		close_places(&joining);
	}
	if (result == 0 && record->continues)
		record_join_lacking(record);
	record->continues = false;
	record->cgroup_id = REPORT_UNKNOWN;
	if (result == 0 && report_lacks_memory(record_memory(record)))
		return error_set(err, "out of memory");
	return result;
}
