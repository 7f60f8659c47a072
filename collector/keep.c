/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/common/frame.h"

#define KEPT_DIRECTORY "jobs"
#define LIVE_DIRECTORY "live" /* collector/live.h */
#define CLOSED_FILE "closed"
#define BOOT_FILE "boot_id"
#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"

#define ENDS(text) (memchr((text), '\0', sizeof(text)) != NULL)

bool control_message_valid(const struct control_message *m, size_t size)
{
	bool whole = size == sizeof(*m) && m->magic == CONTROL_MAGIC && m->version == CONTROL_VERSION &&
		     m->size == sizeof(*m);

	if (whole && m->kind == CONTROL_HELLO)
		return true;
	return whole && m->kind >= CONTROL_OPEN && m->kind <= CONTROL_JOB_CLOSE &&
	       m->mode <= CONTROL_MODE_TIMELINE && m->job_id && m->job_id < CONTROL_NONE &&
	       m->uid < CONTROL_NONE && m->node[0] && ENDS(m->node) && ENDS(m->cluster) &&
	       ENDS(m->user) && ENDS(m->partition) && ENDS(m->node_list) &&
	       ENDS(m->work_dir) && ENDS(m->output);
}

static int open_directory(int run_fd, const char *name)
{
	return openat(run_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* What all files of a job begin with. A node's name may hold anything but '/'; only letters make sense there. */
static void job_prefix(uint32_t job_id, const char *node, char *prefix, size_t size)
{
	snprintf(prefix, size, "%u.%.64s.", job_id, node);
	for (char *c = prefix; *c; c++)
		if (*c == '/')
			*c = '_';
}

int keep_write(int run_fd, const struct kept_message *kept, struct error *err)
{
	cleanup_close int directory = open_directory(run_fd, KEPT_DIRECTORY);
	char prefix[128], name[192];

	if (directory < 0)
		return error_errno(err, KEPT_DIRECTORY);
	job_prefix(kept->message.job_id, kept->message.node, prefix, sizeof(prefix));
	snprintf(name, sizeof(name), "%s%u.%u.%d.%" PRIu64, prefix, kept->message.step_id, kept->message.kind,
		 kept->message.kind == CONTROL_TASK ? kept->message.task_pid : 0, kept->message.sent_ns);
	return file_write(directory, name, 0600, kept, sizeof(*kept), err);
}

/* Its name ends in the time of its sending. */
static bool sent_until(const char *name, uint64_t until_ns)
{
	const char *dot = strrchr(name, '.');

	return !dot || strtoull(dot + 1, NULL, 10) <= until_ns;
}

void keep_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns)
{
	int fd = open_directory(run_fd, KEPT_DIRECTORY);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	char prefix[128];

	if (!directory)
		return;
	job_prefix(job_id, node, prefix, sizeof(prefix));
	while ((entry = readdir(directory)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && sent_until(entry->d_name, until_ns))
			unlinkat(fd, entry->d_name, 0);
}

static void empty_directory(int run_fd, const char *name)
{
	int fd = open_directory(run_fd, name);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, 0);
}

/* Times since boot, pids and cgroups of another boot tell nothing. */
static int forget_other_boots(int run_fd, struct error *err)
{
	cleanup_free char *now = file_read(AT_FDCWD, BOOT_ID_PATH, 64, NULL, err);
	cleanup_free char *then = file_read(run_fd, BOOT_FILE, 64, NULL, NULL);

	if (!now)
		return -1;
	if (then && strcmp(now, then) == 0)
		return 0;
	empty_directory(run_fd, KEPT_DIRECTORY);
	empty_directory(run_fd, LIVE_DIRECTORY);
	empty_directory(run_fd, CONTROL_NOTES);
	unlinkat(run_fd, CLOSED_FILE, 0);
	return file_write(run_fd, BOOT_FILE, 0600, now, strlen(now), err);
}

/* What a stintd that was killed left half written. */
static void remove_temporary(int fd)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = own >= 0 ? fdopendir(own) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, ".stint-", 7) == 0)
			unlinkat(fd, entry->d_name, 0);
}

static void clean_up(int run_fd)
{
	static const char *const names[] = { ".", KEPT_DIRECTORY, LIVE_DIRECTORY };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup_close int fd = open_directory(run_fd, names[i]);

		if (fd >= 0)
			remove_temporary(fd);
	}
}

int keep_prepare(int run_fd, struct error *err)
{
	static const char *const names[] = { KEPT_DIRECTORY, CONTROL_NOTES };

	for (int i = 0; i < 2; i++)
		if (mkdirat(run_fd, names[i], 0700) < 0 && errno != EEXIST)
			return error_errno(err, "%s", names[i]);
	clean_up(run_fd);
	return forget_other_boots(run_fd, err);
}

int keep_write_closed(int run_fd, const struct jobs *jobs, struct error *err)
{
	size_t size;
	cleanup_free char *frame = frame_make(FRAME_CLOSED, jobs->closed, sizeof(jobs->closed), &size);

	if (!frame)
		return error_set(err, CLOSED_FILE ": out of memory");
	return file_write(run_fd, CLOSED_FILE, 0600, frame, size, err);
}

void keep_read_closed(int run_fd, struct jobs *jobs)
{
	size_t size, length = 0;
	cleanup_free char *frame = file_read(run_fd, CLOSED_FILE, 2 * sizeof(jobs->closed), &size, NULL);
	const char *content = frame ? frame_content(frame, size, FRAME_CLOSED, CLOSED_FILE, &length, NULL) : NULL;

	if (!content || length != sizeof(jobs->closed))
		return;
	memcpy(jobs->closed, content, length);
	/* The next one replaces the oldest. */
	for (unsigned int i = 1; i < JOBS_CLOSED_MAX; i++)
		if (jobs->closed[i].close_ns < jobs->closed[jobs->closed_next].close_ns)
			jobs->closed_next = i;
}

/* Names alone are held, with the time to sort by: a message is some pages long, and there can be many. */
struct found {
	char name[256];
	uint64_t sent_ns;
};

struct found_list {
	struct found *found;
	size_t count;
	size_t room;
};

static int by_time(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	return (a->sent_ns > b->sent_ns) - (a->sent_ns < b->sent_ns);
}

static void add_found(struct found_list *list, const char *name, uint64_t sent_ns)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 8;
		struct found *more = realloc(list->found, room * sizeof(*more));

		if (!more)
			return;
		list->found = more;
		list->room = room;
	}
	snprintf(list->found[list->count].name, sizeof(list->found->name), "%s", name);
	list->found[list->count++].sent_ns = sent_ns;
}

/*
 * Reads one file of @size bytes into @kept. Returns whether it is a whole message. Of what a stintd of another version
 * kept behind the message nothing is taken.
 */
static bool read_one(int directory, const char *name, struct kept_message *kept, size_t size)
{
	size_t length = 0;
	cleanup_free char *data = file_read(directory, name, 2 * sizeof(*kept), &length, NULL);

	if (!data || length < sizeof(kept->message) || (length != size && size == sizeof(kept->message)))
		return false;
	memset(kept, 0, sizeof(*kept));
	memcpy(kept, data, length == size ? size : sizeof(kept->message));
	return control_message_valid(&kept->message, sizeof(kept->message));
}

/* The messages of a directory, oldest first; damaged ones are removed. */
static void list_all(int directory_fd, size_t size, struct found_list *list,
		     void (*bad)(const char *name, void *data), void *data)
{
	int fd = dup(directory_fd);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct kept_message kept;
	struct dirent *entry;

	if (!directory)
		return;
	rewinddir(directory);
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		if (read_one(directory_fd, entry->d_name, &kept, size)) {
			add_found(list, entry->d_name, kept.message.sent_ns);
			continue;
		}
		if (unlinkat(directory_fd, entry->d_name, 0) < 0)
			unlinkat(directory_fd, entry->d_name, AT_REMOVEDIR);
		bad(entry->d_name, data);
	}
	if (list->count)
		qsort(list->found, list->count, sizeof(*list->found), by_time);
}

void keep_read(int run_fd, void (*take)(const struct kept_message *kept, void *data),
	       void (*bad)(const char *name, void *data), void *data)
{
	cleanup_close int directory = open_directory(run_fd, KEPT_DIRECTORY);
	struct kept_message kept;
	struct found_list list = {};

	if (directory < 0)
		return;
	list_all(directory, sizeof(kept), &list, bad, data);
	for (size_t i = 0; i < list.count; i++)
		if (read_one(directory, list.found[i].name, &kept, sizeof(kept)))
			take(&kept, data);
	free(list.found);
}

void keep_remove_note(int run_fd, const struct control_message *message)
{
	cleanup_close int directory = open_directory(run_fd, CONTROL_NOTES);
	char name[CONTROL_NOTE_NAME_MAX];

	control_note_name(message, name);
	if (directory >= 0)
		unlinkat(directory, name, 0);
}

void keep_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
		     void (*bad)(const char *name, void *data), void *data)
{
	cleanup_close int directory = open_directory(run_fd, CONTROL_NOTES);
	struct kept_message kept;
	struct found_list list = {};

	if (directory < 0)
		return;
	list_all(directory, sizeof(kept.message), &list, bad, data);
	for (size_t i = 0; i < list.count; i++) {
		if (read_one(directory, list.found[i].name, &kept, sizeof(kept.message)))
			take(&kept.message, data);
		unlinkat(directory, list.found[i].name, 0);
	}
	free(list.found);
}
