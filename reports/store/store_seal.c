/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_backlog_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/time_text.h"
#include "reports/json/field.h"

/* ---- from lines to a batch ---- */

/* The lines of a batch in memory. */
struct lines {
	char *text;
	size_t length, count;
};

static bool is_line(const char *text, size_t length)
{
	static const char begin[] = "{\"stint_store\":";

	return length > strlen(begin) && memcmp(text, begin, strlen(begin)) == 0 &&
	       memchr(text, '\n', length) == text + length - 1;
}

/*
 * Adds the line in taken/@name. Drops a damaged line: only a crash of the machine damages a line, and then the line's
 * record is still in the spool.
 *
 * Returns 0; -1 with @err set if the line cannot be read now.
 */
static int add_line(struct store_backlog *backlog, const char *name, struct lines *lines, struct error *err)
{
	size_t length;
	cleanup_free char *text = file_read(backlog->taken_fd, name, STORE_LINE_MAX, &length, err);

	if (!text && errno != EFBIG)
		return -1;
	if (!text || !is_line(text, length)) {
		backlog->state.dropped++;
		unlinkat(backlog->taken_fd, name, 0);
		return 0;
	}
	memcpy(lines->text + lines->length, text, length);
	lines->length += length;
	lines->count++;
	return 0;
}

/* Returns the most bytes that STORE_BATCH_LINES lines in @taken can need. */
static size_t room_for(const struct store_files *taken)
{
	uint64_t bytes = 1;

	for (size_t i = 0; i < taken->count; i++)
		bytes += taken->files[i].bytes < STORE_LINE_MAX ? taken->files[i].bytes : STORE_LINE_MAX;
	return (size_t)bytes;
}

static int read_lines(struct store_backlog *backlog, const struct store_files *taken, struct lines *lines,
		      struct error *err)
{
	lines->text = malloc(room_for(taken));
	if (!lines->text)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < taken->count && lines->count < STORE_BATCH_LINES; i++)
		if (add_line(backlog, taken->files[i].name, lines, err) < 0)
			return -1;
	return 0;
}

/* Returns the batch, which the caller must free, and fills @name; NULL with @err set. */
static char *make_batch(const struct store_backlog *backlog, const struct lines *lines, char name[NAME_MAX + 1],
			size_t *length, struct error *err)
{
	size_t first_length = (size_t)((char *)memchr(lines->text, '\n', lines->length) - lines->text);
	cleanup_free char *first_text = strndup(lines->text, first_length);
	cleanup_json struct json_object *first =
		first_text ? field_parse(first_text, first_length, "a store line", json_type_object, err) : NULL;
	const struct store_batch_head head = {
		.cluster = field_text(first, "identity.cluster"),
		.node = field_text(first, "identity.node"),
		.boot = backlog->state.boot,
		.sequence = backlog->state.sequence,
		.sealed_unix_ns = (int64_t)clock_ns(CLOCK_REALTIME),
		.lines = lines->count,
		.dropped = backlog->state.dropped,
	};
	size_t head_length = 0;
	cleanup_free char *text = first ? store_batch_head_make(&head, &head_length, err) : NULL;
	char *batch = text ? malloc(head_length + lines->length) : NULL;

	if (!batch) {
		if (text)
			error_set(err, "out of memory");
		return NULL;
	}
	memcpy(batch, text, head_length);
	memcpy(batch + head_length, lines->text, lines->length);
	store_batch_name(&head, name);
	*length = head_length + lines->length;
	return batch;
}

/* ---- sealing ---- */

static int empty_taken(const struct store_backlog *backlog, struct error *err)
{
	cleanup_files struct store_files taken = { 0 };

	if (store_files_list(backlog->taken_fd, "", &taken, err) < 0)
		return -1;
	for (size_t i = 0; i < taken.count; i++)
		if (unlinkat(backlog->taken_fd, taken.files[i].name, 0) < 0)
			return error_errno(err, "%s/taken/%s", backlog->path, taken.files[i].name);
	return 0;
}

/* Removes the lines in taken/, and renames their batch. The new name means that the batch can be sent. */
static int finish(const struct store_backlog *backlog, const char *sealing, struct error *err)
{
	char name[NAME_MAX + 1];

	if (empty_taken(backlog, err) < 0)
		return -1;
	snprintf(name, sizeof(name), "%.*s", (int)(strlen(sealing) - strlen(STORE_SEALING)), sealing);
	if (renameat(backlog->batches_fd, sealing, backlog->batches_fd, name) < 0)
		return error_errno(err, "%s/batches/%s", backlog->path, name);
	return 0;
}

/* Returns the owner of all lines; STORE_BACKLOG_NO_USER if they have several owners. */
static uint32_t user_of(const struct store_files *taken)
{
	for (size_t i = 1; i < taken->count; i++)
		if (taken->files[i].uid != taken->files[0].uid)
			return STORE_BACKLOG_NO_USER;
	return taken->files[0].uid;
}

/*
 * Makes a file name from the batch's name: adds the user of all lines, and the suffix that means that the lines are
 * still in taken/.
 */
static void name_file(const char *batch, uint32_t uid, char *file, size_t size)
{
	char user[sizeof(STORE_USER) + 10] = "";

	if (uid != STORE_BACKLOG_NO_USER)
		snprintf(user, sizeof(user), STORE_USER "%" PRIu32, uid);
	snprintf(file, size, "%.*s%s" STORE_BATCH_SUFFIX STORE_SEALING,
		 (int)(strlen(batch) - strlen(STORE_BATCH_SUFFIX)), batch, user);
}

static int seal_taken(struct store_backlog *backlog, struct error *err)
{
	cleanup_files struct store_files taken = { 0 };
	struct lines lines = { 0 };
	cleanup_free char *text = NULL, *batch = NULL;
	char name[NAME_MAX + 1], file[NAME_MAX + 1];
	size_t length;
	int result;

	if (store_files_list(backlog->taken_fd, "", &taken, err) < 0)
		return -1;
	result = taken.count ? read_lines(backlog, &taken, &lines, err) : 0;
	text = lines.text;
	if (result < 0 || !lines.count)
		return result;
	backlog->state.sequence++;
	batch = make_batch(backlog, &lines, name, &length, err);
	/* save the number first, so that no other batch can get it, even if this process is killed */
	if (!batch || store_state_write(backlog, err) < 0)
		return -1;
	name_file(name, user_of(&taken), file, sizeof(file));
	if (file_write(backlog->batches_fd, file, 0600, batch, length, err) < 0)
		return -1;
	return finish(backlog, file, err);
}

/*
 * Moves @lines from @from on into taken/ until a batch is full. Returns the index of the first line that was not moved;
 * -1 with @err set.
 */
static int64_t move_lines(struct store_backlog *backlog, const struct store_files *lines, size_t from, struct error *err)
{
	cleanup_files struct store_files taken = { 0 };
	size_t room;

	if (store_files_list(backlog->taken_fd, "", &taken, err) < 0)
		return -1;
	room = taken.count < STORE_BATCH_LINES ? STORE_BATCH_LINES - taken.count : 0;
	for (; from < lines->count && room; from++, room--)
		if (renameat(backlog->lines_fd, lines->files[from].name, backlog->taken_fd, lines->files[from].name) < 0 &&
		    errno != ENOENT)
			return error_errno(err, "%s/lines/%s", backlog->path, lines->files[from].name);
	return (int64_t)from;
}

/* Returns whether the oldest line has waited for @age_s seconds, or whether the clock was set back since then. */
static bool is_old(const struct store_files *lines, size_t from, unsigned int age_s)
{
	int64_t age_ns = (int64_t)clock_ns(CLOCK_REALTIME) - lines->files[from].made_ns;

	return age_ns < 0 || age_ns >= age_s * NS_PER_S;
}

/* Which lines are due. */
struct due {
	bool all;
	unsigned int age_s;
};

/*
 * Seals due lines. @once: at most one batch. Returns the index of the first line that was not sealed; -1 with @err set.
 */
static int64_t seal_due(struct store_backlog *backlog, const struct store_files *lines, const struct due *due, bool once,
			struct error *err)
{
	int64_t at = 0;

	while ((size_t)at < lines->count &&
	       (due->all || lines->count - (size_t)at >= STORE_BATCH_LINES || is_old(lines, (size_t)at, due->age_s))) {
		at = move_lines(backlog, lines, (size_t)at, err);
		if (at < 0 || seal_taken(backlog, err) < 0)
			return -1;
		if (once)
			break;
	}
	return at;
}

/* Seals due lines from @from on. Each batch has lines of only one user. Returns 0; -1 with @err set. */
static int seal_apart(struct store_backlog *backlog, struct store_files *lines, size_t from, const struct due *due,
		      struct error *err)
{
	struct store_files rest = { lines->files ? lines->files + from : NULL, lines->count - from };

	store_files_by_user(&rest);
	for (size_t at = 0, end; at < rest.count; at = end) {
		struct store_files of_user = { .files = rest.files + at };

		for (end = at; end < rest.count && rest.files[end].uid == rest.files[at].uid;)
			end++;
		of_user.count = end - at;
		if (seal_due(backlog, &of_user, due, false, err) < 0)
			return -1;
	}
	return 0;
}

int store_backlog_seal(struct store_backlog *backlog, bool all, unsigned int age_s, struct error *err)
{
	cleanup_files struct store_files lines = { 0 };
	const struct due due = { all, age_s };
	char waits[NAME_MAX + 1];
	int64_t at = 0;
	int apart;

	if (store_files_list(backlog->lines_fd, "", &lines, err) < 0)
		return -1;
	apart = lines.count ? store_backlog_oldest(backlog, waits, err) : 0;
	if (apart == 0)
		at = seal_due(backlog, &lines, &due, true, err);
	return apart < 0 || at < 0 ? -1 : seal_apart(backlog, &lines, (size_t)at, &due, err);
}

int store_backlog_resume(struct store_backlog *backlog, struct error *err)
{
	cleanup_files struct store_files sealing = { 0 };

	store_state_read(backlog);
	/* an earlier process may have counted this batch as dropped, but was killed before it removed the batch */
	if (store_batch_is_name(backlog->state.dropping))
		unlinkat(backlog->batches_fd, backlog->state.dropping, 0);
	if (store_files_list(backlog->batches_fd, STORE_SEALING, &sealing, err) < 0)
		return -1;
	if (sealing.count)
		return finish(backlog, sealing.files[0].name, err);
	return seal_taken(backlog, err);
}
