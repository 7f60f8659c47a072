/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the spool: node records that wait until they are delivered to a report. Each record is one file with a frame,
 * and stays in the spool until it is delivered. The spool has two directories: spool_dir, which outlives a reboot, and
 * a small reserve in run_dir for times when spool_dir cannot be written. Only root can read these directories.
 *
 * The spool gives up the records below, and the log names each of them:
 * - damaged records: they are moved to SPOOL_DAMAGED, where the last SPOOL_DAMAGED_MAX of them are kept;
 * - records that no attempt can deliver, and records older than SPOOL_GONE_S whose job's directory was removed;
 * - records older than spool_max_age_h, after a last attempt;
 * - the oldest record of the user with the most records or bytes, if one more record comes while the spool has more
 * than spool_max_mb, or more than SPOOL_RECORDS_MAX records.
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
#define SPOOL_GONE_S 3600 /* how long to keep a record after its job's directory was removed, in case the directory returns */
#define SPOOL_MARKS 4096
#define SPOOL_RECORDS_MAX 16384 /* the most records in spool_dir, so that it does not take long to list them all */
#define SPOOL_USER_NS 20000000000ull /* time for one user's attempts in a pass; as long as one attempt that hangs */
#define SPOOL_DAMAGED "damaged" /* name of the directory of damaged records, in each of the two places */
#define SPOOL_DAMAGED_MAX 16
#define SPOOL_RESERVE_MAX (64u << 20)
#define SPOOL_PLACES RECORD_PLACES

struct spool_place {
	int fd; /* descriptor of the directory; -1: the place cannot be used */
	char path[PATH_MAX + 16];
};

/* Counts since stintd started. stintd and its children share them. */
struct spool_counts {
	uint64_t set_aside;
	uint64_t given_up;
	int64_t bytes; /* bytes in spool_dir, roughly; they are counted exactly if this number seems too high */
	int64_t records; /* in spool_dir, also roughly */
	/*
	 * Indexed by a hash of the record's name. If two records have the same index, the log may repeat or lack a
	 * line, or a record may be tried later than its turn.
	 */
	uint32_t logged[SPOOL_MARKS]; /* a hash of the last reason that the log gave for the record */
	uint8_t past[SPOOL_MARKS]; /* how the last attempt to deliver the record ended */
};

struct spool {
	struct spool_place places[SPOOL_PLACES]; /* spool_dir, the reserve */
	uint64_t max_age_s;
	uint64_t max_bytes;
	uint64_t max_records;
	uint64_t user_ns;
	struct spool_counts *counts; /* shared with the children */
	int64_t last_pass_s; /* CLOCK_REALTIME of the last pass; 0: none so far */
};

enum spool_try {
	SPOOL_DELIVERED,
	SPOOL_DAMAGE, /* the record is damaged, so another attempt is useless */
	SPOOL_NEVER, /* another attempt is useless for a reason other than damage */
	SPOOL_GONE, /* the job's directory was removed */
	SPOOL_HANGS, /* the job's directory does not answer, so the user's other records wait for the next pass */
	SPOOL_LATER,
};

/*
 * Opens the spool of @conf. @run_fd is the open run_dir of @conf.
 *
 * Returns 0 with @err empty. Also returns 0 if spool_dir cannot be used now, but @err then says why. Returns -1 with
 * @err set if users other than root can write to spool_dir, or if the reserve cannot be made.
 */
int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err);

/*
 * Writes the record @name to the spool. The record is the @length bytes at @text. A record in spool_dir is on stable
 * storage when this function returns.
 *
 * Returns 0 with @err empty if the record is in spool_dir. Returns 0 with the reason in @err if the record is in the
 * reserve. Returns -1 with @err set if the record is in neither of them.
 */
int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err);

/* Returns the uid of the user that the record @name belongs to. Returns SPOOL_NO_USER if the name has no uid. */
uint32_t spool_user(const char *name);

/*
 * Remembers @why as the reason why the record @name was not delivered. Returns true if the last reason for this record
 * was different.
 */
bool spool_is_news(struct spool *spool, const char *name, const char *why);

/* Removes the record @name without delivering it, counts it as given up, and logs @why. */
void spool_give_up(struct spool *spool, const char *name, const char *why);

/* Writes the path of the record @name to @path. Returns false if the record is not in the spool. */
bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX]);

/* Removes the record @name from the spool. Does nothing if the record is not there. */
void spool_remove(struct spool *spool, const char *name);

/* Moves the damaged record @name to SPOOL_DAMAGED. */
void spool_set_aside(struct spool *spool, const char *name);

/* Corrects the rough counts of spool_dir, which now has @records records with @bytes bytes. */
void spool_note(struct spool *spool, uint64_t records, uint64_t bytes);

/* Returns how many damaged records the spool has set aside. */
uint64_t spool_damaged(struct spool *spool);

/*
 * Returns true if at least one record is due for an attempt at @now_s (CLOCK_REALTIME). The first pass tries all
 * records. Later passes try each record 1, 2, 4, 8, 16 and 32 minutes after the record was made, and then every hour.
 */
bool spool_due(struct spool *spool, int64_t now_s);

/*
 * Makes a pass over the spool: calls @try_one, with the name and the path of the record, for each record that is due at
 * @now_s (CLOCK_REALTIME). Skips a record if @busy says that another process works on it. Also skips a record if
 * another record continues it (common/record_name.h), because the writer of the other record joins the two.
 *
 * The pass takes turns among users: it tries one record of each user, then another one of each. A user's oldest record
 * comes first. A record whose last attempt failed comes after the user's other records, and a record whose last attempt
 * hung comes after all records.
 *
 * What happens to a record after the attempt depends on the result, the record's age and the spool's size. If an
 * attempt hangs, or if the attempts for a user have taken SPOOL_USER_NS, the user's other records wait for the next
 * pass. A pass may take long.
 */
void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data);

#endif
