/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spool: node records on their way to a report. Each is a file of its own, framed, and kept until it is delivered.
 * The spool has two places: spool_dir, which outlives a reboot, and a small reserve in run_dir for times when spool_dir
 * cannot be written. Only root can read them.
 *
 * These records are given up, and the log names each:
 * - damaged records: they are set aside, and the last SPOOL_DAMAGED_MAX of them are kept;
 * - records that no try can deliver, and those that are older than SPOOL_GONE_S and whose directory was removed;
 * - records older than spool_max_age_h, after a last try;
 * - when one more comes and there are more than spool_max_mb, or more than SPOOL_RECORDS_MAX records: the oldest of the
 *   user who has most there.
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
#define SPOOL_GONE_S 3600 /* how long a removed directory may take to come back */
#define SPOOL_MARKS 4096
#define SPOOL_RECORDS_MAX 16384 /* in spool_dir: listing all of them must not take long */
#define SPOOL_USER_NS 20000000000ull /* for the tries of one user in a pass: as long as one try that hangs */
#define SPOOL_DAMAGED "damaged" /* the directory of damaged records, in each place */
#define SPOOL_DAMAGED_MAX 16
#define SPOOL_RESERVE_MAX (64u << 20)
#define SPOOL_PLACES RECORD_PLACES

struct spool_place {
	int fd; /* -1: it cannot be used */
	char path[PATH_MAX + 16];
};

/* Counted by stintd and its children together, since stintd started. */
struct spool_counts {
	uint64_t set_aside;
	uint64_t given_up;
	int64_t bytes; /* in spool_dir, roughly; counted exactly if this seems too much */
	int64_t records; /* in spool_dir, also roughly */
	/*
	 * Indexed by a hash of the record's name. If two records share one, that costs a line in the log, or a later
	 * turn.
	 */
	uint32_t logged[SPOOL_MARKS]; /* a hash of the last reason that was logged */
	uint8_t past[SPOOL_MARKS]; /* how its last try ended */
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

struct spool_state {
	uint64_t records;
	uint64_t bytes;
	int64_t oldest_unix_s; /* 0: there are none */
	uint64_t damaged;      /* records that are set aside */
};

enum spool_try {
	SPOOL_DELIVERED,
	SPOOL_DAMAGE, /* the record itself is damaged: another try is useless */
	SPOOL_NEVER, /* another try is useless for another reason */
	SPOOL_GONE, /* its directory was removed */
	SPOOL_HANGS, /* its directory does not answer: that user's other records wait for the next pass */
	SPOOL_LATER,
};

/*
 * Opens the spool of @conf, whose run_dir is open as @run_fd.
 *
 * Returns 0, even if spool_dir cannot be used now: then @err says why, otherwise it is empty. Returns -1 with @err set
 * if others than root can write spool_dir, or the reserve cannot be made.
 */
int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err);

/*
 * Puts @length bytes of the record @text into the spool as @name; in spool_dir it is then on stable storage.
 *
 * Returns 0, with @err empty if the record is in spool_dir; if it is in the reserve, @err says why. Returns -1 with
 * @err set if it is in neither.
 */
int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err);

/* The uid of the user of the record @name; SPOOL_NO_USER if the name has none. */
uint32_t spool_user(const char *name);

/* Notes @why as the reason why the record @name was not delivered. Returns whether the last reason was another. */
bool spool_is_news(struct spool *spool, const char *name, const char *why);

/* Gives up the record @name, and logs @why. */
void spool_give_up(struct spool *spool, const char *name, const char *why);

/* Writes the path of the record @name to @path. Returns whether it is in the spool. */
bool spool_find(struct spool *spool, const char *name, char path[PATH_MAX]);

/* Removes the record @name from the spool, if it is there. */
void spool_remove(struct spool *spool, const char *name);

/* Sets the damaged record @name aside. */
void spool_set_aside(struct spool *spool, const char *name);

/* Counts what the spool holds. */
void spool_look(struct spool *spool, struct spool_state *state);

/*
 * Whether some record is due for a try at @now_s (CLOCK_REALTIME). The first pass tries all; later, each is tried 1,
 * 2, 4, 8, 16 and 32 minutes after it was made and then every hour.
 */
bool spool_due(struct spool *spool, int64_t now_s);

/*
 * Goes through the spool: one record of each user in turn. If another record continues this one (common/record_name.h),
 * it waits: the other's writer joins them. A user's oldest record comes first, but a record that failed the last time
 * comes after the user's others, and one that hung comes after all others. Calls @try_one with the name and path of
 * each record that is due at @now_s, unless @busy says that another process works on it. The result, the record's age
 * and the spool's size then decide what happens to it. If a user's failing tries have taken longer than SPOOL_USER_NS,
 * the user's other records wait for the next pass. May take long.
 */
void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data);

#endif
