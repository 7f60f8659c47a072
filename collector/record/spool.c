/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/host/log.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/frame.h"
#include "common/memory/array.h"
#include "common/suffix.h"

#define RESERVE (SPOOL_PLACES - 1)
#define TEMPORARY_MAX_S 3600 /* older temporary files are from a crash */
#define FRAME_BYTES_MAX (1ul << 30)

enum past {
	PAST_NONE,
	PAST_LEFT, /* not tried, because the user's time was over */
	PAST_FAILED,
	PAST_HUNG
};

struct entry {
	char name[NAME_MAX + 1];
	int place;
	int64_t made_s;
	uint64_t bytes;
	uint32_t uid;
	enum past past;
	size_t turn; /* of the user, from 0 */
	bool gone;
	bool continued; /* a later record continues this one */
};

struct list {
	struct entry *entries;
	size_t count;
};

static int open_place(struct spool_place *place, struct error *err)
{
	place->fd = file_open_own_directory(place->path, err);
	if (place->fd < 0)
		return -1;
	if (mkdirat(place->fd, SPOOL_DAMAGED, 0700) < 0 && errno != EEXIST && errno != EROFS && errno != ENOSPC &&
	    errno != EDQUOT)
		return error_errno(err, "%s/" SPOOL_DAMAGED, place->path);
	return 0;
}

int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err)
{
	struct error why;

	memset(spool, 0, sizeof(*spool));
	spool->places[0].fd = spool->places[RESERVE].fd = -1;
	spool->max_age_s = conf->spool_max_age_h * UINT64_C(3600);
	spool->max_bytes = (uint64_t)conf->spool_max_mb << 20;
	spool->max_records = SPOOL_RECORDS_MAX;
	spool->user_ns = SPOOL_USER_NS;
	spool->counts = mmap(NULL, sizeof(*spool->counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (spool->counts == MAP_FAILED)
		return error_errno(err, "cannot map memory for the spool's counters");
	snprintf(spool->places[0].path, sizeof(spool->places->path), "%s", conf->spool_dir);
	snprintf(spool->places[RESERVE].path, sizeof(spool->places->path), "%s/" RECORD_RESERVE, conf->run_dir);
	if (mkdirat(run_fd, RECORD_RESERVE, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "%s", spool->places[RESERVE].path);
	if (open_place(&spool->places[RESERVE], err) < 0)
		return -1;
	err->text[0] = '\0';
	if (open_place(&spool->places[0], &why) == 0)
		return 0;
	*err = why;
	/* Only an unsafe spool_dir stops stintd. A missing one may come back. */
	return errno == EPERM ? -1 : 0;
}

/* Opens spool_dir again if it was missing, removed or mounted over. Each child does so, too. */
static void reopen(struct spool *spool)
{
	struct spool_place *place = &spool->places[0];
	struct stat named, opened;

	if (place->fd >= 0 && fstat(place->fd, &opened) == 0 && stat(place->path, &named) == 0 &&
	    named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
		return;
	if (place->fd >= 0)
		close(place->fd);
	open_place(place, NULL);
}

uint32_t spool_user(const char *name)
{
	struct record_name read;

	return record_name_read(name, &read) ? read.uid : SPOOL_NO_USER;
}

/* FNV-1a */
static uint32_t hash(const char *text)
{
	uint32_t value = 2166136261u;

	while (*text)
		value = (value ^ (unsigned char)*text++) * 16777619u;
	return value;
}

bool spool_is_news(struct spool *spool, const char *name, const char *why)
{
	uint32_t of_name = hash(name), reason = hash(why) ^ of_name;
	uint32_t *logged = &spool->counts->logged[of_name % SPOOL_MARKS];

	if (*logged == reason)
		return false;
	*logged = reason;
	return true;
}

static bool is_record(const char *name)
{
	return name[0] != '.' && has_suffix(name, RECORD_NAME_SUFFIX);
}

static void add_entry(struct list *list, int place, const char *name, const struct stat *st)
{
	struct entry *entry;

	if (!array_room(&list->entries, list->count, sizeof(*list->entries)))
		return; /* the next pass will find it */
	entry = &list->entries[list->count++];
	*entry = (struct entry){
		.place = place,
		.made_s = st->st_mtime,
		.bytes = st->st_size,
		.uid = spool_user(name),
	};
	snprintf(entry->name, sizeof(entry->name), "%s", name);
}

static void list_directory(int fd, int place, struct list *list)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = own >= 0 ? fdopendir(own) : NULL;
	struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (is_record(entry->d_name) && fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			add_entry(list, place, entry->d_name, &st);
}

static int oldest_first(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->made_s != b->made_s)
		return a->made_s < b->made_s ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void list_records(const struct spool *spool, struct list *list)
{
	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool->places[i].fd >= 0)
			list_directory(spool->places[i].fd, i, list);
}

static void list_damaged(const struct spool_place *place, struct list *list)
{
	cleanup_close int fd =
		place->fd < 0 ? -1 : openat(place->fd, SPOOL_DAMAGED, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		list_directory(fd, 0, list);
	if (list->count)
		qsort(list->entries, list->count, sizeof(*list->entries), oldest_first);
}

/* Corrects the counts that the children share. */
static void note_contents(const struct spool *spool, const struct list *list)
{
	int64_t bytes = 0, records = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->entries[i].gone || list->entries[i].place != 0)
			continue;
		bytes += (int64_t)list->entries[i].bytes;
		records++;
	}
	spool->counts->bytes = bytes;
	spool->counts->records = records;
}

void spool_note(struct spool *spool, uint64_t records, uint64_t bytes)
{
	spool->counts->records = (int64_t)records;
	spool->counts->bytes = (int64_t)bytes;
}

uint64_t spool_damaged(struct spool *spool)
{
	uint64_t count = 0;

	reopen(spool);
	for (int i = 0; i < SPOOL_PLACES; i++) {
		struct list list = {};

		list_damaged(&spool->places[i], &list);
		count += list.count;
		free(list.entries);
	}
	return count;
}

static void give_up(struct spool *spool, struct entry *entry, const char *why)
{
	const struct spool_place *place = &spool->places[entry->place];

	entry->gone = true;
	if (unlinkat(place->fd, entry->name, 0) < 0)
		return; /* another process has removed it */
	__atomic_fetch_add(&spool->counts->given_up, 1, __ATOMIC_RELAXED);
	collector_log_each(LOG_ERR, "%s/%s is given up, and its report with it: %s", place->path, entry->name, why);
}

/* The records of one user, in a list sorted by user and age. */
struct share {
	struct entry *oldest; /* the oldest record that was not given up */
	struct entry *end;
	uint64_t bytes;
	uint64_t records;
};

static int by_user(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->uid != b->uid)
		return a->uid < b->uid ? -1 : 1;
	return oldest_first(left, right);
}

/* Sorts @list by user, and returns @count shares, which the caller frees; NULL if out of memory. */
static struct share *divide(struct list *list, size_t *count)
{
	struct share *shares = calloc(list->count + 1, sizeof(*shares));

	*count = 0;
	if (!shares || !list->count)
		return shares;
	qsort(list->entries, list->count, sizeof(*list->entries), by_user);
	for (struct entry *entry = list->entries; entry < list->entries + list->count; entry++) {
		if (entry == list->entries || entry->uid != entry[-1].uid)
			shares[(*count)++].oldest = entry;
		shares[*count - 1].bytes += entry->bytes;
		shares[*count - 1].records++;
		shares[*count - 1].end = entry + 1;
	}
	return shares;
}

/*
 * Returns the share with the most bytes (@by_bytes) or the most records. Ignores shares whose records were all given
 * up. Returns NULL if no share is left.
 */
static struct share *largest_of(struct share *shares, size_t count, bool by_bytes)
{
	struct share *largest = NULL;

	for (struct share *share = shares; share < shares + count; share++)
		if (share->oldest < share->end &&
		    (!largest || (by_bytes ? share->bytes > largest->bytes : share->records > largest->records)))
			largest = share;
	return largest;
}

/*
 * Gives up old records of the users with the most bytes or records. Stops when @incoming bytes of @uid fit, and at most
 * @most records are left.
 */
static void give_up_until(struct spool *spool, struct list *list, uint32_t uid, uint64_t incoming, uint64_t most)
{
	uint64_t bytes = incoming, records = list->count;
	size_t count;
	cleanup_free struct share *shares = divide(list, &count);

	for (size_t i = 0; shares && i < count; i++) {
		bytes += shares[i].bytes;
		shares[i].bytes += shares[i].oldest->uid == uid ? incoming : 0;
		shares[i].records += shares[i].oldest->uid == uid;
	}
	while (shares && (bytes > spool->max_bytes || records > most)) {
		bool by_bytes = bytes > spool->max_bytes;
		struct share *largest = largest_of(shares, count, by_bytes);

		if (!largest)
			break;
		give_up(spool, largest->oldest,
			by_bytes ?
				"the spool holds as much as spool_max_mb allows, and this was the "
				"oldest record of the user with most of it" :
				"the spool holds as many records as it may, and this was the oldest "
				"record of the user with most of them");
		bytes -= largest->oldest->bytes;
		largest->bytes -= largest->oldest->bytes;
		records--;
		largest->records--;
		largest->oldest++;
	}
}

/* Makes room in spool_dir for @incoming bytes of @uid. If @incoming is 0, only applies the limits. */
static void make_room(struct spool *spool, uint32_t uid, uint64_t incoming)
{
	uint64_t most = spool->max_records - (incoming > 0);
	struct list list = {};

	if (spool->places[0].fd < 0 || (spool->counts->bytes + (int64_t)incoming <= (int64_t)spool->max_bytes &&
					spool->counts->records <= (int64_t)most))
		return;
	list_directory(spool->places[0].fd, 0, &list);
	/* Give up several records at once. Otherwise the next record would list the directory again. */
	if (list.count > most)
		most -= spool->max_records / 64;
	give_up_until(spool, &list, uid, incoming, most);
	note_contents(spool, &list);
	free(list.entries);
}

static uint64_t bytes_in(const struct spool_place *place)
{
	struct list list = {};
	uint64_t sum = 0;

	list_directory(place->fd, 0, &list);
	for (size_t i = 0; i < list.count; i++)
		sum += list.entries[i].bytes;
	free(list.entries);
	return sum;
}

static int put_at(const struct spool_place *place, const char *name, const void *frame, size_t size, struct error *err)
{
	struct error why;

	if (place->fd < 0) {
		errno = ENOENT;
		return error_errno(err, "%s", place->path);
	}
	if (file_write_checked(place->fd, name, 0600, frame, size, &why) == 0)
		return 0;
	return error_set(err, "%.400s/%s", place->path, why.text);
}

/* Writes a record to the reserve, which is small, because it is in memory. Returns 0; -1 on failure. */
static int put_in_reserve(const struct spool_place *place, const char *name, const void *frame, size_t size)
{
	if (size > SPOOL_RESERVE_MAX || bytes_in(place) > SPOOL_RESERVE_MAX - size)
		return -1;
	return put_at(place, name, frame, size, NULL);
}

int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err)
{
	size_t size;
	cleanup_free char *frame = frame_make(FRAME_RECORD, text, length, &size);

	if (!frame)
		return error_set(err, "out of memory");
	err->text[0] = '\0';
	reopen(spool);
	make_room(spool, spool_user(name), size);
	if (put_at(&spool->places[0], name, frame, size, err) == 0) {
		__atomic_fetch_add(&spool->counts->bytes, size, __ATOMIC_RELAXED);
		__atomic_fetch_add(&spool->counts->records, 1, __ATOMIC_RELAXED);
		return 0;
	}
	return put_in_reserve(&spool->places[RESERVE], name, frame, size);
}

bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX])
{
	reopen(spool);
	for (int i = 0; i < SPOOL_PLACES; i++) {
		const struct spool_place *place = &spool->places[i];

		if (place->fd < 0 || faccessat(place->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		return snprintf(path, PATH_MAX, "%s/%s", place->path, name) < PATH_MAX;
	}
	return false;
}

void spool_remove(struct spool *spool, const char *name)
{
	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool->places[i].fd >= 0)
			unlinkat(spool->places[i].fd, name, 0);
}

void spool_give_up(struct spool *spool, const char *name, const char *why)
{
	struct entry entry = {};

	snprintf(entry.name, sizeof(entry.name), "%s", name);
	for (entry.place = 0; entry.place < SPOOL_PLACES; entry.place++)
		if (spool->places[entry.place].fd >= 0)
			give_up(spool, &entry, why);
}

static void keep_the_last_damaged(const struct spool_place *place)
{
	struct list list = {};
	char path[NAME_MAX + sizeof(SPOOL_DAMAGED) + 2];

	list_damaged(place, &list);
	for (size_t i = 0; i + SPOOL_DAMAGED_MAX < list.count; i++) {
		snprintf(path, sizeof(path), SPOOL_DAMAGED "/%s", list.entries[i].name);
		unlinkat(place->fd, path, 0);
	}
	free(list.entries);
}

void spool_set_aside(struct spool *spool, const char *name)
{
	char aside[NAME_MAX + sizeof(SPOOL_DAMAGED) + 2];

	snprintf(aside, sizeof(aside), SPOOL_DAMAGED "/%s", name);
	for (int i = 0; i < SPOOL_PLACES; i++) {
		const struct spool_place *place = &spool->places[i];

		if (place->fd < 0 || faccessat(place->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		mkdirat(place->fd, SPOOL_DAMAGED, 0700); /* missing if the disk was full before */
		if (renameat(place->fd, name, place->fd, aside) < 0) {
			collector_log(LOG_ERR, "%s/%s is damaged and cannot be set aside: %s", place->path, name,
				      strerror(errno));
			continue;
		}
		__atomic_fetch_add(&spool->counts->set_aside, 1, __ATOMIC_RELAXED);
		collector_log_each(LOG_ERR, "%s/%s is damaged: it was set aside in %s/" SPOOL_DAMAGED, place->path,
				   name, place->path);
		keep_the_last_damaged(place);
	}
}

/*
 * Returns how many attempts a record of this age should have had: one each after 1, 2, 4, 8, 16 and 32 minutes, then
 * one an hour.
 */
static int64_t tries_by(int64_t age_s)
{
	int64_t tries = 0;

	if (age_s >= 3600)
		return 6 + age_s / 3600;
	for (int64_t at = 60; at <= age_s; at *= 2)
		tries++;
	return tries;
}

static uint8_t *past_of(const struct spool *spool, const struct entry *entry)
{
	return &spool->counts->past[hash(entry->name) % SPOOL_MARKS];
}

static bool is_due(const struct spool *spool, const struct entry *entry, int64_t now_s)
{
	if (*past_of(spool, entry) == PAST_LEFT)
		return true;
	/* The clock was set back, so the age is unknown. */
	if (entry->made_s > now_s)
		return true;
	return !spool->last_pass_s || tries_by(now_s - entry->made_s) != tries_by(spool->last_pass_s - entry->made_s);
}

bool spool_due(struct spool *spool, int64_t now_s)
{
	struct list list = {};
	bool due = false;

	reopen(spool);
	list_records(spool, &list);
	for (size_t i = 0; i < list.count && !due; i++)
		due = is_due(spool, &list.entries[i], now_s);
	free(list.entries);
	return due;
}

static void leave_reserve(struct spool *spool, struct entry *entry)
{
	const struct timespec made[2] = { { .tv_sec = entry->made_s }, { .tv_sec = entry->made_s } };
	size_t size;
	cleanup_free char *frame = file_read(spool->places[RESERVE].fd, entry->name, FRAME_BYTES_MAX, &size, NULL);

	if (!frame || put_at(&spool->places[0], entry->name, frame, size, NULL) < 0)
		return;
	utimensat(spool->places[0].fd, entry->name, made, 0); /* the record keeps its age */
	unlinkat(spool->places[RESERVE].fd, entry->name, 0);
	entry->place = 0;
}

static void settle_try(struct spool *spool, struct entry *entry, enum spool_try result, int64_t now_s)
{
	int64_t age_s = now_s - entry->made_s;

	*past_of(spool, entry) = result == SPOOL_HANGS	   ? PAST_HUNG :
				 result == SPOOL_DELIVERED ? PAST_NONE :
							     PAST_FAILED;
	if (result == SPOOL_DELIVERED)
		unlinkat(spool->places[entry->place].fd, entry->name, 0);
	else if (result == SPOOL_DAMAGE)
		spool_set_aside(spool, entry->name);
	else if (result == SPOOL_NEVER)
		give_up(spool, entry, "no other try could deliver it either");
	else if (result == SPOOL_GONE && age_s > SPOOL_GONE_S)
		give_up(spool, entry, "its job's directory was removed, and has not come back for an hour");
	else if (age_s > (int64_t)spool->max_age_s)
		give_up(spool, entry, "it could not be delivered within spool_max_age_h");
	entry->gone |= result == SPOOL_DELIVERED || result == SPOOL_DAMAGE;
	if (!entry->gone && entry->place == RESERVE)
		leave_reserve(spool, entry);
}

static int by_user_and_past(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->uid != b->uid)
		return a->uid < b->uid ? -1 : 1;
	return a->past != b->past ? (int)a->past - (int)b->past : oldest_first(left, right);
}

/* A record that hung comes after the other records. */
static int by_turn(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	bool hung = a->past == PAST_HUNG;

	if (hung != (b->past == PAST_HUNG))
		return hung ? 1 : -1;
	if (a->turn != b->turn)
		return a->turn < b->turn ? -1 : 1;
	return oldest_first(left, right);
}

static int by_name(const void *left, const void *right)
{
	return record_name_order(((const struct entry *)left)->name, ((const struct entry *)right)->name);
}

static void note_continued(struct list *list)
{
	qsort(list->entries, list->count, sizeof(*list->entries), by_name);
	for (size_t i = 1; i < list->count; i++)
		list->entries[i - 1].continued = record_name_follows(list->entries[i].name, list->entries[i - 1].name);
}

/* Takes one record of each user in turn. So a user with many records does not delay other users. */
static void list_by_turn(const struct spool *spool, struct list *list)
{
	list_records(spool, list);
	if (!list->count)
		return;
	note_continued(list);
	for (size_t i = 0; i < list->count; i++)
		list->entries[i].past = *past_of(spool, &list->entries[i]);
	qsort(list->entries, list->count, sizeof(*list->entries), by_user_and_past);
	for (size_t i = 1; i < list->count; i++)
		if (list->entries[i].uid == list->entries[i - 1].uid)
			list->entries[i].turn = list->entries[i - 1].turn + 1;
	qsort(list->entries, list->count, sizeof(*list->entries), by_turn);
}

static void remove_temporary(const struct spool_place *place, int64_t now_s)
{
	int fd = place->fd < 0 ? -1 : openat(place->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, ".stint-", 7) == 0 && has_suffix(entry->d_name, ".tmp") &&
		    fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && now_s - st.st_mtime > TEMPORARY_MAX_S)
			unlinkat(fd, entry->d_name, 0);
}

/* Number of entries in spent_ns. The uid modulo PATIENCES is the index, so two users may share an entry. */
#define PATIENCES 1024

/*
 * Leaves the user's records from index @next on for the next pass, because each record may take as long as the last
 * one. @delivered: the next pass tries these records whatever their age
 */
static void leave_for_next(const struct spool *spool, struct list *list, size_t next, bool delivered, int64_t now_s)
{
	uint32_t uid = list->entries[next - 1].uid;

	for (size_t i = next; i < list->count; i++) {
		struct entry *entry = &list->entries[i];

		if (entry->uid != uid)
			continue;
		if (delivered && is_due(spool, entry, now_s))
			*past_of(spool, entry) = PAST_LEFT;
		entry->gone = true;
	}
}

void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data)
{
	uint64_t spent_ns[PATIENCES] = { 0 }, *spent, began; /* for each user */
	struct list list = {};
	char path[PATH_MAX];

	reopen(spool);
	list_by_turn(spool, &list);
	for (size_t i = 0; i < list.count; i++) {
		struct entry *entry = &list.entries[i];
		enum spool_try result;

		if (entry->gone || entry->continued || busy(entry->name, data) || !is_due(spool, entry, now_s) ||
		    snprintf(path, sizeof(path), "%s/%s", spool->places[entry->place].path, entry->name) >= PATH_MAX)
			continue;
		began = clock_ns(CLOCK_MONOTONIC);
		result = try_one(entry->name, path, data);
		settle_try(spool, entry, result, now_s);
		spent = &spent_ns[entry->uid % PATIENCES];
		*spent += clock_ns(CLOCK_MONOTONIC) - began;
		if (result == SPOOL_HANGS || *spent >= spool->user_ns)
			leave_for_next(spool, &list, i + 1, result == SPOOL_DELIVERED, now_s);
	}
	free(list.entries);
	make_room(spool, SPOOL_NO_USER, 0);
	for (int i = 0; i < SPOOL_PLACES; i++)
		remove_temporary(&spool->places[i], now_s);
}
