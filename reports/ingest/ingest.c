/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/ingest_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/memory/array.h"
#include "common/time_text.h"
#include "reports/groups/moments.h"
#include "reports/ingest/archives.h"
#include "reports/ingest/site_conf.h"
#include "reports/ingest/store_waiting.h"
#include "reports/json/plural.h"
#include "reports/terminal/progress_line.h"

#define WHO "stint ingest"
#define GROUP_BATCHES 1024
#define GROUP_LINES 8192
#define GROUP_BYTES (64u << 20)
#define HASH_DIRECTORIES 256
/* for mallopt(), in bytes */
#define MMAP_FROM (32 << 20) /* the most that glibc accepts */
#define MEMORY_KEPT (256 << 20)
#define MEMORY_STEP (4 << 20)
#define NAMES_MAX 65536 /* limit for the names of batches that stay in the directory */
#define DAY_US (86400 * US_PER_S)
#define LOOKED_US (60 * US_PER_S) /* while there are no batches, a process saves only this often that it has looked for batches */

/*
 * Prints a message without control characters. The message may have text of users, whose escape sequences must not
 * reach the terminal.
 */
static void complain(const char *text)
{
	struct error plain;

	snprintf(plain.text, sizeof(plain.text), "%s", text);
	for (char *at = plain.text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	progress_line_erase();
	fprintf(stderr, WHO ": %s\n", plain.text);
}

/*
 * Prints a message only the first time, because the batch stays in the directory, and each run finds the batch again.
 */
static void refuse(struct ingest *ingest, const char *name, const char *text)
{
	struct map_entry *entry;

	ingest->refused++;
	if (ingest->refused_names.count >= NAMES_MAX)
		map_free(&ingest->refused_names);
	entry = map_get(&ingest->refused_names, name, strlen(name));
	if (!entry || !entry->number)
		complain(text);
	if (entry)
		entry->number = 1;
}

/* ---- notes about the batches of earlier groups ---- */

static int add_note(struct ingest_state *state, const struct transaction_batch *one, struct error *err)
{
	if (!array_room(&state->notes, state->note_count, sizeof(*state->notes)))
		return error_set(err, "out of memory");
	state->notes[state->note_count] = (struct transaction_note){ one->cluster, strdup(one->batch.name) };
	return state->notes[state->note_count++].name ? 0 : error_set(err, "out of memory");
}

static void forget_notes(struct ingest_state *state)
{
	for (size_t i = 0; i < state->note_count; i++)
		free(state->notes[i].name);
	state->note_count = 0;
}

static int write_notes(struct ingest_state *state, struct error *err)
{
	struct database *db = state->ingest->db;
	char name[ARCHIVE_NAME_MAX + 16], place[24];

	if (transaction_note_archived(db, state->notes, state->note_count, err) < 0)
		return -1;
	for (size_t i = 0; state->note_count && i < state->ends.count; i++) {
		snprintf(name, sizeof(name), "archive:%.*s", (int)state->ends.list[i].size, (char *)state->ends.list[i].key);
		snprintf(place, sizeof(place), "%lld", (long long)state->ends.list[i].number);
		if (database_set(db, name, place, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- the archive ---- */

static int note_end(struct ingest_state *state, struct error *err)
{
	struct map_entry *entry = map_get(&state->ends, state->archive.name, strlen(state->archive.name));

	if (!entry)
		return error_set(err, "out of memory");
	entry->number = state->archive.end;
	return 0;
}

static int open_archive(struct ingest_state *state, const char *name, struct error *err)
{
	char setting[ARCHIVE_NAME_MAX + 16];
	cleanup_free char *place = NULL;
	struct map_entry *entry = map_get(&state->ends, name, strlen(name));

	if (strcmp(state->archive.name, name) == 0)
		return 0;
	if (archive_sync(&state->archive, err) < 0)
		return -1;
	archive_close(&state->archive);
	if (!entry)
		return error_set(err, "out of memory");
	snprintf(setting, sizeof(setting), "archive:%s", name);
	err->text[0] = '\0';
	place = entry->number ? NULL : database_setting(state->ingest->db, setting, err);
	if (err->text[0])
		return -1;
	return archive_open(&state->archive, name, place ? strtoll(place, NULL, 10) : entry->number, err);
}

static int put_away(struct ingest_state *state, const struct transaction_batch *one, struct error *err)
{
	char name[ARCHIVE_NAME_MAX];

	if (one->state != BATCH_TAKEN && one->state != BATCH_KNOWN)
		return 0;
	archive_name(&one->batch, name);
	if (open_archive(state, name, err) < 0)
		return -1;
	if ((one->state == BATCH_TAKEN || !archive_has(&state->archive, one->batch.name)) &&
	    archive_append(&state->archive, &one->batch, err) < 0)
		return -1;
	return note_end(state, err) < 0 ? -1 : add_note(state, one, err);
}

/* ---- a group ---- */

static void free_group(struct ingest_group *group)
{
	for (size_t i = 0; i < group->count; i++)
		batch_free(&group->list[i].batch);
	for (size_t i = 0; i < group->directory_count; i++)
		close(group->directories[i]);
	group->count = group->lines = group->bytes = group->directory_count = 0;
}

/*
 * Returns a descriptor for the directory @dirfd that stays open as long as the group. The batches of a directory come
 * one after the other, so they can share one descriptor.
 */
static int keep_directory(struct ingest_group *group, int dirfd, struct error *err)
{
	struct stat st;
	int copy;

	if (fstat(dirfd, &st) < 0)
		return error_errno(err, "new");
	if (group->directory_count && st.st_ino == group->last.st_ino && st.st_dev == group->last.st_dev)
		return group->directories[group->directory_count - 1];
	copy = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return error_errno(err, "new");
	group->last = st;
	return group->directories[group->directory_count++] = copy;
}

/* The age of the store's data, in microseconds since 1970; 0 if not known. */
struct ages {
	int64_t now_us, ingested_us, newest_us;
};

static void add_ages(const struct ingest_state *state, const struct transaction_batch *one, struct ages *ages)
{
	int64_t sealed = 0;

	if (one->state != BATCH_TAKEN || strcmp(one->batch.node, INGEST_OWN_NODE) == 0)
		return;
	if (!state->rebuilding)
		sealed = ages->now_us;
	else
		time_parse(one->batch.sealed, &sealed);
	if (sealed > ages->ingested_us)
		ages->ingested_us = sealed;
	for (size_t i = 0; i < one->batch.count; i++) {
		const struct batch_line *line = &one->batch.list[i];

		if (!line->damaged && line->line.closed * US_PER_S > ages->newest_us)
			ages->newest_us = line->line.closed * US_PER_S;
	}
}

/* Saves the time @name, unless the saved time is later. */
static int advance(struct database *db, const char *name, int64_t us, int64_t *stored_us, struct error *err)
{
	if (us <= *stored_us)
		return 0;
	*stored_us = us;
	return moment_write(db, name, us, err);
}

static int note_ages(struct ingest_state *state, const struct ingest_group *group, struct error *err)
{
	struct ages ages = { .now_us = moment_now() };

	for (size_t i = 0; i < group->count; i++)
		add_ages(state, &group->list[i], &ages);
	/* the clock of a node may be ahead */
	if (ages.ingested_us > ages.now_us)
		ages.ingested_us = ages.now_us;
	if (ages.newest_us > ages.now_us)
		ages.newest_us = ages.now_us;
	if (ages.newest_us) /* use noon (UTC), which is on the same day in nearly all time zones */
		ages.newest_us += DAY_US / 2 - ages.newest_us % DAY_US;
	return advance(state->ingest->db, MOMENT_INGESTED, ages.ingested_us, &state->ingested_us, err) < 0
		       ? -1
		       : advance(state->ingest->db, MOMENT_NEWEST, ages.newest_us, &state->newest_us, err);
}

static int read_ages(struct ingest_state *state, struct error *err)
{
	struct database *db = state->ingest->db;

	return moment_read(db, MOMENT_INGESTED, &state->ingested_us, err) < 0
		       ? -1
		       : moment_read(db, MOMENT_NEWEST, &state->newest_us, err);
}

static int transact(struct ingest_state *state, struct ingest_group *group, struct error *err)
{
	struct database *db = state->ingest->db;

	if (database_begin(db, err) < 0)
		return -1;
	if (write_notes(state, err) < 0 || transaction_take(&state->update, group->list, group->count, state->rebuilding, err) < 0 ||
	    note_ages(state, group, err) < 0 || database_commit(db, err) < 0) {
		database_rollback(db);
		names_forget(&state->names);
		return -1;
	}
	forget_notes(state);
	return 0;
}

static void set_aside(const struct batch *batch, const struct batch_line *line)
{
	struct error text;

	error_set(&text, "%s:%zu: set aside: %.300s", batch->name, line->number, line->reason.text);
	complain(text.text);
}

static void refuse_twin(struct ingest *ingest, const char *name)
{
	struct error text;

	error_set(&text, "%s: stint imported another batch of this name before: this one stays where it is", name);
	refuse(ingest, name, text.text);
}

/* Names a new cluster, because it may be a mistake: a wrong name in a node's slurm.conf makes a new cluster. */
static void tell_of_cluster(const struct ingest *ingest, const struct batch *batch)
{
	struct error text;

	error_set(&text, "%s: it is the first batch of another cluster, '%.100s': 'clusters' in site.conf can name those whose batches are taken",
		  batch->name, batch->cluster);
	if (!ingest->conf->clusters[0])
		complain(text.text);
}

/* Shows nothing for batches that the head node makes itself, because reconcile_run() shows the progress then. */
void ingest_show_progress(const struct ingest_state *state)
{
	const struct ingest *ingest = state->ingest;

	if (state->all)
		progress_line_show((double)state->done / (double)state->all, "%lld batch%s, %lld line%s, %.0f lines/s", (long long)ingest->batches,
			      plural_es(ingest->batches), (long long)ingest->lines, plural(ingest->lines),
			      (double)ingest->lines / progress_line_seconds());
}

static void tell(struct ingest_state *state, const struct ingest_group *group)
{
	struct ingest *ingest = state->ingest;

	for (size_t i = 0; i < group->count; i++) {
		const struct transaction_batch *one = &group->list[i];

		if (one->state == BATCH_REFUSED)
			refuse_twin(ingest, one->batch.name);
		if (one->of_new_cluster && !state->rebuilding)
			tell_of_cluster(ingest, &one->batch);
		if (one->state != BATCH_TAKEN)
			continue;
		ingest->batches++;
		for (size_t k = 0; k < one->batch.count; k++) {
			const struct batch_line *line = &one->batch.list[k];

			if (line->damaged)
				set_aside(&one->batch, line);
			ingest->damaged += line->damaged;
			ingest->lines += !line->damaged;
		}
	}
	ingest->jobs = state->update.jobs;
	ingest->late = state->update.late;
	for (size_t i = 0; i < group->count; i++)
		state->done += state->rebuilding ? group->list[i].batch.packed : 1;
	ingest_show_progress(state);
}

static int remove_files(const struct ingest_group *group, struct error *err)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct transaction_batch *one = &group->list[i];

		if (one->dirfd >= 0 && one->state != BATCH_REFUSED && unlinkat(one->dirfd, one->batch.name, 0) < 0 &&
		    errno != ENOENT)
			return error_errno(err, "%s", one->batch.name);
	}
	return 0;
}

static int archive_group(struct ingest_state *state, const struct ingest_group *group, struct error *err)
{
	for (size_t i = 0; i < group->count; i++)
		if (put_away(state, &group->list[i], err) < 0)
			return -1;
	return archive_sync(&state->archive, err) < 0 ? -1 : remove_files(group, err);
}

static int finish_group(struct ingest_state *state, struct ingest_group *group, struct error *err)
{
	int result = transact(state, group, err);

	if (result == 0) {
		tell(state, group);
		if (!state->rebuilding)
			result = archive_group(state, group, err);
	}
	free_group(group);
	return result;
}

/*
 * Ingests the group that is not being filled, while threads read the lines of the full group. Waits for the threads.
 * Then the full group is the next to ingest, and the empty group is the next to fill.
 */
static int turn(struct ingest_state *state, struct error *err)
{
	struct ingest_group *full = state->filling, *before = &state->groups[full == &state->groups[0]];
	struct error unread;
	int result = before->count ? finish_group(state, before, err) : 0;

	if (lines_reader_finish(state->reader, result == 0 ? err : &unread) < 0)
		result = -1;
	state->filling = before;
	return result;
}

/*
 * The first turn() ingests the older group, and reads the lines of the newer group. The second turn() ingests the newer
 * group.
 */
int ingest_finish(struct ingest_state *state, struct error *err)
{
	return turn(state, err) < 0 ? -1 : turn(state, err);
}

/* Takes ownership of @batch. */
static int add_batch(struct ingest_state *state, struct batch *batch, int dirfd, struct error *err)
{
	struct ingest_group *group = state->filling;
	int kept = -1;

	if (!group->list && !(group->list = calloc(GROUP_BATCHES, sizeof(*group->list)))) {
		batch_free(batch);
		return error_set(err, "out of memory");
	}
	if (dirfd >= 0 && (kept = keep_directory(group, dirfd, err)) < 0) {
		batch_free(batch);
		return -1;
	}
	group->list[group->count++] = (struct transaction_batch){ .batch = *batch, .dirfd = kept };
	group->lines += batch->count;
	group->bytes += batch->length;
	*batch = (struct batch){ 0 };
	return lines_reader_add(state->reader, &group->list[group->count - 1].batch, err);
}

static bool is_full(const struct ingest_group *group)
{
	return group->count == GROUP_BATCHES || group->directory_count == INGEST_DIRECTORIES || group->lines >= GROUP_LINES ||
	       group->bytes >= GROUP_BYTES;
}

int ingest_add(struct ingest_state *state, struct batch *batch, int dirfd, struct error *err)
{
	if (add_batch(state, batch, dirfd, err) < 0)
		return -1;
	return is_full(state->filling) ? turn(state, err) : 0;
}

/* ---- the store's directory ---- */

static bool is_wanted(const struct ingest *ingest, const struct batch *batch, struct error *why)
{
	struct error reason;

	if (site_conf_takes(ingest->conf, batch->cluster, &reason))
		return true;
	error_set(why, "%s: %.300s: it stays where it is, and is taken when its cluster is named there", batch->name, reason.text);
	return false;
}

/*
 * Returns whether @cluster belongs to another database. A cluster without a database counts as a cluster of the first
 * database, whose process then refuses it.
 */
static bool is_others(const struct site_conf *conf, const char *cluster)
{
	size_t of = site_conf_database_of(conf, cluster);

	return (of < conf->database_count ? of : 0) != conf->chosen;
}

/*
 * Returns whether the file is for another database. Remembers the file's name, because the file stays while the other
 * database does not answer. A file of the same name always has the same bytes.
 */
static bool is_for_others(struct ingest *ingest, int dirfd, const char *name)
{
	char cluster[BATCH_NAME_MAX + 1];

	if (ingest->conf->database_count < 2)
		return false;
	if (map_find(&ingest->others_names, name, strlen(name)))
		return true;
	/* the process for the first database refuses a file whose head names no cluster */
	if (!batch_cluster(dirfd, name, cluster))
		return ingest->conf->chosen != 0;
	if (!is_others(ingest->conf, cluster))
		return false;
	if (ingest->others_names.count >= NAMES_MAX)
		map_free(&ingest->others_names);
	map_get(&ingest->others_names, name, strlen(name)); /* if out of memory, the next run opens the file again */
	return true;
}

static int take_file(struct ingest_state *state, int dirfd, const char *name, struct error *err)
{
	struct error why;
	struct batch batch;

	if (is_for_others(state->ingest, dirfd, name))
		return 0;
	if (batch_read(dirfd, name, state->ingest->owner, &batch, &why) < 0) {
		if (errno != ENOENT)
			refuse(state->ingest, name, why.text);
		state->done++;
		return 0;
	}
	ingest_show_progress(state);
	if (!is_wanted(state->ingest, &batch, &why)) {
		refuse(state->ingest, name, why.text);
		state->done++;
		batch_free(&batch);
		return 0;
	}
	return ingest_add(state, &batch, dirfd, err);
}

/*
 * Ingests the batches in the directory @fd, and closes the directory. Reads one name at a time, because files may
 * disappear.
 */
static int take_directory(struct ingest_state *state, int fd, struct error *err)
{
	cleanup_closedir DIR *directory = fdopendir(fd);
	const struct dirent *entry;

	if (!directory) {
		error_errno(err, "%s/new", state->ingest->store_dir);
		close(fd);
		return -1;
	}
	while ((errno = 0, entry = readdir(directory)))
		if (batch_name_good(entry->d_name) && take_file(state, fd, entry->d_name, err) < 0)
			return -1;
	return errno ? error_errno(err, "%s/new", state->ingest->store_dir) : 0;
}

static int take_store(struct ingest_state *state, struct error *err)
{
	cleanup_close int store = open(state->ingest->store_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), new = -1;
	char name[4];

	if (store < 0)
		return error_errno(err, "%s", state->ingest->store_dir);
	new = openat(store, "new", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (new < 0)
		return errno == ENOENT ? 0 : error_errno(err, "%s/new", state->ingest->store_dir);
	for (int i = 0; i < HASH_DIRECTORIES; i++) {
		int dirfd;

		snprintf(name, sizeof(name), "%02x", i);
		dirfd = openat(new, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (dirfd < 0 && errno != ENOENT)
			return error_errno(err, "%s/new/%s", state->ingest->store_dir, name);
		if (dirfd >= 0 && take_directory(state, dirfd, err) < 0)
			return -1;
	}
	return ingest_finish(state, err);
}

/* ---- all of it ---- */

/*
 * Keeps freed memory in this process, because it takes longer to get a new page than to do the work in it. ingest_end() gives
 * the memory back.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, MMAP_FROM);
	mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
	mallopt(M_TOP_PAD, MEMORY_STEP);
}

int ingest_begin(struct ingest_state *state, struct ingest *ingest, struct error *err)
{
	keep_memory();
	*state = (struct ingest_state){ .ingest = ingest, .filling = state->groups, .archive = { .dirfd = -1, .fd = -1 } };
	state->update = (struct jobs_update){
		.db = ingest->db, .names = &state->names, .packer = line_packer_new(), .rules = ingest->rules,
		.oldest = ingest->oldest
	};
	if (!state->update.packer)
		return error_set(err, "out of memory");
	if (read_ages(state, err) < 0)
		return -1;
	state->reader = lines_reader_new(ingest->rules, err);
	if (!state->reader)
		return -1;
	if (mkdir(ingest->archive_dir, 0750) < 0 && errno != EEXIST)
		return error_errno(err, "%s", ingest->archive_dir);
	state->archive.dirfd = open(ingest->archive_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return state->archive.dirfd < 0 ? error_errno(err, "%s", ingest->archive_dir) : 0;
}

void ingest_end(struct ingest_state *state)
{
	if (state->all)
		progress_line_end();
	lines_reader_free(state->reader);
	for (size_t i = 0; i < 2; i++) {
		free_group(&state->groups[i]);
		free(state->groups[i].list);
	}
	archive_close(&state->archive);
	if (state->archive.dirfd >= 0)
		close(state->archive.dirfd);
	forget_notes(state);
	free(state->notes);
	map_free(&state->ends);
	names_forget(&state->names);
	line_packer_free(state->update.packer);
	malloc_trim(0);
}

static int note_rest(struct ingest_state *state, struct error *err)
{
	if (!state->note_count)
		return 0;
	if (database_begin(state->ingest->db, err) < 0)
		return -1;
	if (write_notes(state, err) == 0 && database_commit(state->ingest->db, err) == 0)
		return 0;
	database_rollback(state->ingest->db);
	return -1;
}

static int note_looked(struct ingest *ingest, struct error *err)
{
	int64_t now_us = moment_now();

	if (!ingest->batches && ingest->looked_us && now_us - ingest->looked_us < LOOKED_US)
		return 0;
	ingest->looked_us = now_us;
	return moment_write_alone(ingest->db, MOMENT_LOOKED, now_us, err);
}

void ingest_begin_progress(struct ingest_state *state, int64_t all)
{
	state->all = all;
	if (all)
		progress_line_begin(WHO);
}

/* Returns 0 if standard error is no terminal, because only the progress needs the number. */
static int64_t count_waiting(const struct ingest *ingest)
{
	struct store_waiting waiting;
	struct error err;

	return isatty(STDERR_FILENO) && store_waiting_count(ingest->store_dir, &waiting, &err) == 0 ? waiting.count : 0;
}

int ingest_run(struct ingest *ingest, struct error *err)
{
	struct ingest_state state;
	cleanup_free char *rebuilding = database_setting(ingest->db, INGEST_REBUILDING, err);
	int result;

	if (!rebuilding && err->text[0]) /* the connection may be broken */
		return -1;
	if (rebuilding && *rebuilding)
		return error_set(err, DATABASE_UNFINISHED);
	if (archives_check(ingest->db, ingest->conf, err) < 0)
		return -1;
	result = ingest_begin(&state, ingest, err);
	ingest_begin_progress(&state, count_waiting(ingest));
	if (result == 0)
		result = take_store(&state, err);
	if (result == 0)
		result = note_rest(&state, err);
	if (result == 0)
		result = note_looked(ingest, err);
	ingest_end(&state);
	return result;
}

int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err)
{
	struct ingest_state state;
	int result = ingest_begin(&state, ingest, err);

	if (result < 0)
		batch_free(batch);
	else
		result = add_batch(&state, batch, -1, err);
	if (result == 0)
		result = ingest_finish(&state, err);
	if (result == 0)
		result = note_rest(&state, err);
	ingest_end(&state);
	return result;
}
