/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps node records until they are delivered. Each record is a file with a frame. spool_dir outlives a reboot. A small
 * reserve in run_dir is for times when spool_dir cannot be written. Only root can read the two directories.
 *
 * The spool gives up these records, and logs each one:
 * - damaged records; the last SPOOL_DAMAGED_MAX are kept in SPOOL_DAMAGED
 * - records that no attempt can deliver
 * - records older than SPOOL_GONE_S, if the job's directory was removed
 * - records older than spool_max_age_h, after a last attempt
 * - above spool_max_mb or SPOOL_RECORDS_MAX: the oldest record of the user with the most bytes or records
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
#define SPOOL_GONE_S 3600 /* a removed directory may come back */
#define SPOOL_MARKS 4096
#define SPOOL_RECORDS_MAX 16384 /* few enough to list */
#define SPOOL_USER_NS 20000000000ull /* for a user's attempts in a pass */
#define SPOOL_DAMAGED "damaged" /* directory of damaged records */
#define SPOOL_DAMAGED_MAX 16
#define SPOOL_RESERVE_MAX (64u << 20)
#define SPOOL_PLACES RECORD_PLACES

struct spool_place {
	int fd; /* directory; -1: cannot be used */
	char path[PATH_MAX + 16];
};

/* Shared with children. */
struct spool_counts {
	uint64_t set_aside;
	uint64_t given_up;
	int64_t bytes; /* in spool_dir, roughly */
	int64_t records; /* in spool_dir, roughly */
	/*
	 * Indexed by a hash of the name. A collision does little harm: a line of the log or an attempt may be missing.
	 */
	uint32_t logged[SPOOL_MARKS]; /* hash of the last logged reason */
	uint8_t past[SPOOL_MARKS]; /* result of the last attempt */
};

struct spool {
	struct spool_place places[SPOOL_PLACES]; /* spool_dir, the reserve */
	uint64_t max_age_s;
	uint64_t max_bytes;
	uint64_t max_records;
	uint64_t user_ns;
	struct spool_counts *counts; /* shared with the children */
	int64_t last_pass_s; /* CLOCK_REALTIME; 0: no pass yet */
};

enum spool_try {
	SPOOL_DELIVERED,
	SPOOL_DAMAGE, /* damaged: another attempt is useless */
	SPOOL_NEVER, /* another attempt is useless */
	SPOOL_GONE, /* the job's directory was removed */
	SPOOL_HANGS, /* the user's other records wait for the next pass */
	SPOOL_LATER,
};

/*
 * Opens the spool of @conf. @run_fd: run_dir
 *
 * Returns 0. If spool_dir cannot be used now, @err has the reason.
 * Returns -1 with @err set if users can write to spool_dir, or if the reserve cannot be made.
 */
int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err);

/*
 * Writes the record @name of @length bytes, to stable storage if spool_dir can be written.
 *
 * Returns 0 with @err empty if the record is in spool_dir. Returns 0 with the reason in @err if the record is in the
 * reserve. Returns -1 with @err set on failure.
 */
int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err);

/* Returns the uid in a record's name; SPOOL_NO_USER if there is none. */
uint32_t spool_user(const char *name);

/* Remembers @why the record was not delivered. Returns true if this reason is new. */
bool spool_is_news(struct spool *spool, const char *name, const char *why);

/* Removes the record, counts it as given up, and logs @why. */
void spool_give_up(struct spool *spool, const char *name, const char *why);

/* Writes the path of the record to @path. Returns false if the record is not in the spool. */
bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX]);

void spool_remove(struct spool *spool, const char *name);

/* Moves a damaged record to SPOOL_DAMAGED. */
void spool_set_aside(struct spool *spool, const char *name);

void spool_note(struct spool *spool, uint64_t records, uint64_t bytes);

uint64_t spool_damaged(struct spool *spool);

/*
 * Returns true if a record is due at @now_s (CLOCK_REALTIME). The first pass tries all records. Later, a record is due
 * 1, 2, 4, 8, 16 and 32 minutes after it was made. After that, it is due every hour.
 */
bool spool_due(struct spool *spool, int64_t now_s);

/*
 * Calls @try_one for each record that is due at @now_s (CLOCK_REALTIME). May take long. Skips records that are @busy,
 * and records that a later record continues (common/record_name.h).
 *
 * Users take turns, each with the oldest record first. Records that failed come later, and records that hung come last.
 *
 * After a hang, or after SPOOL_USER_NS, the user's other records wait for the next pass.
 */
void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data);

#endif
