/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/journal/journal_file.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/memory/array.h"

#define KEPT_DIRECTORY "jobs"
#define LIVE_DIRECTORY "live" /* collector/journal/handover.h */
#define BOOT_FILE "boot_id"
#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"
#define KEPT_BYTES_MAX (2 * sizeof(struct journal_message) + (JOB_TASKS_MAX + 64) * sizeof(struct journal_entry))

static int open_directory(int run_fd, const char *name)
{
	return openat(run_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Writes how the names of the job's files begin. A node may have any name, so replaces '/' by '_'. */
static void job_prefix(uint32_t job_id, const char *node, char *prefix, size_t size)
{
	snprintf(prefix, size, "%u.%.64s.", job_id, node);
	for (char *c = prefix; *c; c++)
		if (*c == '/')
			*c = '_';
}

static void make_name(const struct control_message *message, uint64_t sent_ns, char name[JOURNAL_NAME_MAX])
{
	char prefix[128];

	job_prefix(message->job_id, message->node, prefix, sizeof(prefix));
	snprintf(name, JOURNAL_NAME_MAX, "%s%u.%u.0.%" PRIu64, prefix, message->step_id, message->kind, sent_ns);
}

/* Upper limit for the files in jobs/. Counting thousands of files for each message would take too long. */
static unsigned int files_at_most = JOURNAL_FILES_MAX;

static int look_for_room(int directory, const char *prefix, struct error *err)
{
	cleanup_close int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct file_names names = { .fd = fd };
	unsigned int count = 0, own = 0;
	const char *name;

	if (fd < 0)
		return error_errno(err, KEPT_DIRECTORY);
	while ((name = file_names_next(&names))) {
		count++;
		own += strncmp(name, prefix, strlen(prefix)) == 0;
	}
	files_at_most = count + 1;
	if (count < JOURNAL_FILES_MAX / 2 || (count < JOURNAL_FILES_MAX && own < JOURNAL_FILES_FEW))
		return 0;
	errno = EDQUOT;
	return error_set(err, KEPT_DIRECTORY ": it already holds %u files, %u of them for this job", count, own);
}

/*
 * Checks if one more file may be written. A job with many steps must leave room for other jobs.
 * Returns 0; -1 with @err set, and errno EDQUOT without room.
 */
static int has_room(int directory, const char *prefix, struct error *err)
{
	if (files_at_most >= JOURNAL_FILES_MAX / 2)
		return look_for_room(directory, prefix, err);
	files_at_most++;
	return 0;
}

/*
 * Returns the content of the file @name, which the caller frees; NULL if it cannot be read. @at: receives the offset of
 * the entries
 */
static char *read_entries(int directory, const char *name, size_t *at, size_t *size)
{
	char *data = file_read(directory, name, KEPT_BYTES_MAX, size, NULL);
	struct journal_message kept;

	*at = *size;
	if (data && journal_file_read(name, data, *size, &kept, at, NULL) < 0)
		*at = *size;
	return data;
}

int journal_write(int run_fd, const struct journal_message *kept, struct error *err)
{
	cleanup_close int directory = open_directory(run_fd, KEPT_DIRECTORY);
	cleanup_free char *content = NULL, *before = NULL;
	char name[JOURNAL_NAME_MAX], prefix[128];
	size_t size, at = 0, before_size = 0;

	if (directory < 0)
		return error_errno(err, KEPT_DIRECTORY);
	make_name(&kept->message, kept->message.sent_ns, name);
	job_prefix(kept->message.job_id, kept->message.node, prefix, sizeof(prefix));
	if (faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		before = read_entries(directory, name, &at, &before_size);
	else if (kept->message.kind != CONTROL_JOB_CLOSE && has_room(directory, prefix, err) < 0)
		return -1;
	content = before ? journal_file_make(kept, before + at, before_size - at, &size)
			 : journal_file_make(kept, NULL, 0, &size);
	if (!content)
		return error_set(err, KEPT_DIRECTORY ": out of memory");
	return file_write_volatile(directory, name, 0600, content, size, err);
}

int journal_append(int run_fd, const struct control_message *message, uint64_t begin_ns, struct error *err)
{
	const struct journal_entry entry = journal_file_entry(message);
	struct control_message begin = *message;
	cleanup_close int directory = open_directory(run_fd, KEPT_DIRECTORY), file = -1;
	char name[JOURNAL_NAME_MAX];
	ssize_t written;

	if (directory < 0)
		return error_errno(err, KEPT_DIRECTORY);
	begin.kind = CONTROL_OPEN;
	make_name(&begin, begin_ns, name);
	file = openat(directory, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	written = file < 0 ? -1 : write(file, &entry, sizeof(entry));
	if (written == sizeof(entry))
		return 0;
	/* An incomplete entry would hide later ones. */
	if (written >= 0 && ftruncate(file, lseek(file, 0, SEEK_END) - written) == 0)
		errno = ENOSPC;
	return error_errno(err, KEPT_DIRECTORY "/%s", name);
}

bool journal_is_open_of(const char *name, uint32_t job_id, const char *node)
{
	char prefix[128];
	unsigned int step, kind;

	job_prefix(job_id, node, prefix, sizeof(prefix));
	return strncmp(name, prefix, strlen(prefix)) == 0 &&
	       sscanf(name + strlen(prefix), "%10u.%10u.", &step, &kind) == 2 && kind == CONTROL_OPEN;
}

/* The name of a file ends with the time of its message. */
static bool sent_until(const char *name, uint64_t until_ns)
{
	const char *dot = strrchr(name, '.');

	return !dot || strtoull(dot + 1, NULL, 10) <= until_ns;
}

void journal_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns)
{
	cleanup_close int fd = open_directory(run_fd, KEPT_DIRECTORY);
	struct file_names names = { .fd = fd };
	const char *name;
	char prefix[128];

	job_prefix(job_id, node, prefix, sizeof(prefix));
	while ((name = file_names_next(&names)))
		if (strncmp(name, prefix, strlen(prefix)) == 0 && sent_until(name, until_ns))
			unlinkat(fd, name, 0);
}

static void empty_directory(int run_fd, const char *directory)
{
	cleanup_close int fd = open_directory(run_fd, directory);
	struct file_names names = { .fd = fd };
	const char *name;

	while ((name = file_names_next(&names)))
		if (name[0] != '.')
			unlinkat(fd, name, 0);
}

/* Times, pids and cgroups of another boot mean nothing now. */
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
	unlinkat(run_fd, JOURNAL_CLOSED, 0);
	return file_write_volatile(run_fd, BOOT_FILE, 0600, now, strlen(now), err);
}

static void remove_temporary(int fd)
{
	cleanup_close int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct file_names names = { .fd = own };
	const char *name;

	while ((name = file_names_next(&names)))
		if (strncmp(name, ".stint-", 7) == 0)
			unlinkat(fd, name, 0);
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

int journal_prepare(int run_fd, struct error *err)
{
	static const char *const names[] = { KEPT_DIRECTORY, CONTROL_NOTES };

	for (int i = 0; i < 2; i++)
		if (mkdirat(run_fd, names[i], 0700) < 0 && errno != EEXIST)
			return error_errno(err, "%s", names[i]);
	files_at_most = JOURNAL_FILES_MAX;
	clean_up(run_fd);
	return forget_other_boots(run_fd, err);
}

/* The name of a message. The message itself stays on disk: there can be many, and each takes several pages. */
struct found {
	char name[256];
	uint64_t sent_ns;
};

struct found_list {
	struct found *found;
	size_t count;
};

static int by_time(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	return (a->sent_ns > b->sent_ns) - (a->sent_ns < b->sent_ns);
}

static void add_found(struct found_list *list, const char *name, uint64_t sent_ns)
{
	if (!array_room(&list->found, list->count, sizeof(*list->found)))
		return;
	snprintf(list->found[list->count].name, sizeof(list->found->name), "%s", name);
	list->found[list->count++].sent_ns = sent_ns;
}

/*
 * Reads a note. It is a whole message, or a message without the zeros at its end, with a checksum.
 * Returns 0; -1 with @err set.
 */
static int take_note(const char *name, const char *data, size_t length, struct control_message *message,
		     struct error *err)
{
	uint32_t checksum;

	memset(message, 0, sizeof(*message));
	if (length > sizeof(*message) || length < sizeof(checksum))
		return error_set(err, "%s: it does not have the length of a message", name);
	if (length == sizeof(*message)) {
		memcpy(message, data, length);
	} else {
		length -= sizeof(checksum);
		memcpy(&checksum, data + length, sizeof(checksum));
		if (checksum != control_note_checksum(data, length))
			return error_set(err, "%s: damaged: its checksum is wrong", name);
		memcpy(message, data, length);
	}
	if (!control_message_valid(message, sizeof(*message)))
		return error_set(err, "%s: it is not a message, or another version of stint wrote it", name);
	return 0;
}

struct kept_file {
	int directory;
	const char *name;
	char *data; /* the caller frees it */
	size_t size, entries; /* of data; offset of the step's entries */
	struct journal_message begin;
};

static int read_one(struct kept_file *file, bool note, struct error *err)
{
	int status;

	file->size = 0;
	file->data = file_read(file->directory, file->name, note ? 2 * sizeof(file->begin) : KEPT_BYTES_MAX, &file->size, err);
	if (!file->data)
		return -1;
	file->entries = file->size;
	memset(&file->begin, 0, sizeof(file->begin));
	status = note ? take_note(file->name, file->data, file->size, &file->begin.message, err)
		      : journal_file_read(file->name, file->data, file->size, &file->begin, &file->entries, err);
	if (status < 0) {
		free(file->data);
		file->data = NULL;
	}
	return status;
}

/*
 * Lists the messages in @directory_fd by the time of sending. Removes damaged files, and calls @bad for each.
 * @directory_fd: a descriptor that was not read yet
 */
static void list_all(int directory_fd, bool notes, struct found_list *list,
		     void (*bad)(const char *name, const char *why, void *data), void *data)
{
	struct file_names names = { .fd = directory_fd };
	struct kept_file file = { .directory = directory_fd };
	struct error err;

	while ((file.name = file_names_next(&names))) {
		if (file.name[0] == '.')
			continue;
		if (read_one(&file, notes, &err) == 0) {
			free(file.data);
			add_found(list, file.name, file.begin.message.sent_ns);
			continue;
		}
		if (unlinkat(directory_fd, file.name, 0) < 0)
			unlinkat(directory_fd, file.name, AT_REMOVEDIR);
		bad(file.name, err.text, data);
	}
	if (list->count)
		qsort(list->found, list->count, sizeof(*list->found), by_time);
}

/* Calls @take for each entry after a step's begin. Removes an incomplete entry, because it would hide later ones. */
static void take_entries(const struct kept_file *file, void (*take)(const struct journal_message *kept, void *data), void *data)
{
	struct journal_message kept;
	size_t at = file->entries;
	cleanup_close int fd = -1;

	while (journal_file_next(file->data, file->size, &at, &file->begin, &kept))
		take(&kept, data);
	if (at == file->size)
		return;
	fd = openat(file->directory, file->name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && ftruncate(fd, (off_t)at) < 0)
		return; /* the next stintd cannot read later entries */
}

void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data)
{
	cleanup_close int directory = open_directory(run_fd, KEPT_DIRECTORY);
	struct kept_file file = { .directory = directory };
	struct found_list list = {};

	if (directory < 0)
		return;
	list_all(directory, false, &list, bad, data);
	for (size_t i = 0; i < list.count; i++) {
		file.name = list.found[i].name;
		if (read_one(&file, false, NULL) < 0)
			continue;
		take(&file.begin, data);
		take_entries(&file, take, data);
		free(file.data);
	}
	free(list.found);
}

void journal_remove_note(int run_fd, const struct control_message *message)
{
	cleanup_close int directory = open_directory(run_fd, CONTROL_NOTES);
	char name[CONTROL_NOTE_NAME_MAX];

	control_note_name(message, name);
	if (directory >= 0)
		unlinkat(directory, name, 0);
}

void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data)
{
	cleanup_close int directory = open_directory(run_fd, CONTROL_NOTES);
	struct kept_file file = { .directory = directory };
	struct found_list list = {};

	if (directory < 0)
		return;
	list_all(directory, true, &list, bad, data);
	for (size_t i = 0; i < list.count; i++) {
		file.name = list.found[i].name;
		if (read_one(&file, true, NULL) == 0) {
			take(&file.begin.message, data);
			free(file.data);
		}
		unlinkat(directory, file.name, 0);
	}
	free(list.found);
}
