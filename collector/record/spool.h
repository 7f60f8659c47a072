/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spool: node records that wait until they are delivered to a report. Each record is one file with a frame, and
 * stays until it is delivered. The spool has two places: spool_dir, which outlives a reboot, and a small reserve in
 * run_dir for times when spool_dir cannot be written. Only root can read them.
 *
 * The spool gives up these records, and the log names each:
 * - damaged records: they are set aside, and the last SPOOL_DAMAGED_MAX of them are kept;
 * - records that no try can deliver, and those that are older than SPOOL_GONE_S and whose directory was removed;
 * - records older than spool_max_age_h, after a last try;
 * - the oldest record of the user with the most records or bytes, if one more record comes and the spool has more than
 *   spool_max_mb, or more than SPOOL_RECORDS_MAX records.
 */
#ifndef STINT_SPOOL_H
#define STINT_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf.h"
#include "common/error.h"
#include "common/record_name.h"

#define SPOOL_NO_USER UINT32_MAX
#define SPOOL_GONE_S 3600 /* give up a record if its directory was removed and does not return for so long */
#define SPOOL_MARKS 4096
#define SPOOL_RECORDS_MAX 16384 /* the most in spool_dir; listing all of them must not take long */
#define SPOOL_USER_NS 20000000000ull /* time for the tries of one user in a pass; as long as one try that hangs */
#define SPOOL_DAMAGED "damaged" /* in each place, the directory of damaged records */
#define SPOOL_DAMAGED_MAX 16
#define SPOOL_RESERVE_MAX (64u << 20)
#define SPOOL_PLACES RECORD_PLACES

struct spool_place {
	int fd; /* -1: the place cannot be used */
	char path[PATH_MAX + 16];
};

/* Counts of stintd and its children together, since stintd started. */
struct spool_counts {
	uint64_t set_aside;
	uint64_t given_up;
	int64_t bytes; /* in spool_dir, roughly; counted exactly if it seems too high */
	int64_t records; /* in spool_dir, also roughly */
	/*
	 * Indexed by a hash of the record's name. If two records have the same index, the log may repeat or lack a
	 * line, or a record may have a later turn.
	 */
	uint32_t logged[SPOOL_MARKS]; /* a hash of the last reason that was logged for the record */
	uint8_t past[SPOOL_MARKS]; /* how the last try to deliver the record ended */
};

struct spool {
	struct spool_place places[SPOOL_PLACES]; /* spool_dir, the reserve */
	uint64_t max_age_s;
	uint64_t max_bytes;
	uint64_t max_records;
	uint64_t user_ns;
	struct spool_counts *counts; /* shared with the children */
	int64_t last_pass_s; /* CLOCK_REALTIME; 0: none so far */
};

enum spool_try {
	SPOOL_DELIVERED,
	SPOOL_DAMAGE, /* the record itself is damaged, so another try is useless */
	SPOOL_NEVER, /* another try is useless for another reason */
	SPOOL_GONE, /* the job's directory was removed */
	SPOOL_HANGS, /* the job's directory does not answer: the user's other records wait for the next pass */
	SPOOL_LATER,
};

/*
 * Opens the spool of @conf, whose run_dir is open as @run_fd.
 *
 * Returns 0, even if spool_dir cannot be used now: then @err says why. Otherwise @err is empty. Returns -1 with @err set
 * if other users than root can write to spool_dir, or if the reserve cannot be made.
 */
int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err);

/*
 * Writes the record @name, the @length bytes at @text, to the spool. If the record is in spool_dir, it is on stable
 * storage.
 *
 * Returns 0 with @err empty if the record is in spool_dir. Returns 0 with the reason in @err if it is in the reserve.
 * Returns -1 with @err set if it is in neither.
 */
int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err);

/* Returns the uid of the user of the record @name; SPOOL_NO_USER if the name has none. */
uint32_t spool_user(const char *name);

/*
 * Remembers @why as the reason why the record @name was not delivered. Returns true if the former reason was different.
 */
bool spool_is_news(struct spool *spool, const char *name, const char *why);

/* Removes the record @name without delivering it, counts it as given up, and logs @why. */
void spool_give_up(struct spool *spool, const char *name, const char *why);

/* Writes the path of the record @name to @path. Returns false if the record is not in the spool. */
bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX]);

/* Removes the record @name from the spool, if it is there. */
void spool_remove(struct spool *spool, const char *name);

/* Moves the damaged record @name to SPOOL_DAMAGED. */
void spool_set_aside(struct spool *spool, const char *name);

/* Corrects the rough counts of spool_dir, which has @records records with @bytes bytes. */
void spool_note(struct spool *spool, uint64_t records, uint64_t bytes);

/* Returns how many records are set aside. */
uint64_t spool_damaged(struct spool *spool);

/*
 * Returns true if a record is due for a try at @now_s (CLOCK_REALTIME). The first pass tries all records. Later passes
 * try each record 1, 2, 4, 8, 16 and 32 minutes after it was made, and then every hour.
 */
bool spool_due(struct spool *spool, int64_t now_s);

/*
 * Goes through the spool and calls @try_one, with name and path, for each record that is due at @now_s
 * (CLOCK_REALTIME). Skips a record if @busy says that another process works on it. Also skips a record if another
 * record continues it (common/record_name.h): the writer of the other record joins the two.
 *
 * The pass tries one record of each user in turn. A user's oldest record comes first. A record that failed the last
 * time comes after the user's other records, and a record that hung comes after all records.
 *
 * The result, the record's age and the spool's size decide what happens to a record after the try. If a try hangs, or
 * if the tries of a user have taken SPOOL_USER_NS, the user's other records wait for the next pass. A pass may take
 * long.
 */
void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data);

#endif
