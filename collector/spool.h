/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spool: node records on their way to a report, each a file of its own, framed, and kept until it is
 * delivered. Two places: spool_dir, which outlives a reboot, and a small reserve in run_dir for when that one
 * cannot be written. All in them is root's alone.
 *
 * What is given up, in this order: records that turned out damaged, which are set aside and of which the last
 * SPOOL_DAMAGED_MAX are kept; those that are older than spool_max_age_h, after a last try; and the oldest
 * ones of more than spool_max_mb. Each is named in the log.
 */
#ifndef STINT_SPOOL_H
#define STINT_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/common/conf.h"
#include "collector/common/error.h"

#define SPOOL_SUFFIX ".record"
#define SPOOL_DAMAGED "damaged" /* directory of those that were set aside, in each place */
#define SPOOL_DAMAGED_MAX 16
#define SPOOL_RESERVE "spool"   /* of run_dir, which is memory */
#define SPOOL_RESERVE_MAX (64u << 20)
#define SPOOL_PLACES 2

struct spool_place {
	int fd; /* -1: it cannot be used */
	char path[PATH_MAX + 16];
};

/* Counted by stintd and its children together, since stintd started. */
struct spool_counts {
	uint64_t set_aside;
	uint64_t given_up;
};

struct spool {
	struct spool_place places[SPOOL_PLACES]; /* spool_dir, the reserve */
	uint64_t max_age_s;
	uint64_t max_bytes;
	struct spool_counts *counts; /* shared with the children */
	int64_t last_pass_s; /* CLOCK_REALTIME; 0: none yet */
};

struct spool_state {
	uint64_t records;
	uint64_t bytes;
	int64_t oldest_unix_s; /* 0: there are none */
	uint64_t damaged;      /* that are set aside */
};

enum spool_try {
	SPOOL_DELIVERED,
	SPOOL_DAMAGE, /* the record itself: trying again is of no use */
	SPOOL_LATER,
};

/*
 * Opens the spool of @conf, whose run_dir is open as @run_fd.
 *
 * Returns 0, also when spool_dir cannot be used now, with @err saying so (else it is empty); -1 with @err set when it is
 * not root's alone, or the reserve cannot be made.
 */
int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err);

/*
 * Puts @length bytes of the record @text into the spool as @name, on stable storage when it is spool_dir.
 *
 * Returns 0, with @err empty when it lies in spool_dir and saying why when it is in the reserve; -1 with @err set.
 */
int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err);

/* Writes the path of the record @name to @path. Returns whether it is in the spool. */
bool spool_find(const struct spool *spool, const char *name, char path[PATH_MAX]);

/* Takes out the record @name, if it is there. */
void spool_remove(struct spool *spool, const char *name);

/* Sets the damaged record @name aside. */
void spool_set_aside(struct spool *spool, const char *name);

/* Counts what is there. */
void spool_look(const struct spool *spool, struct spool_state *state);

/*
 * Whether some record is due for a try at @now_s (CLOCK_REALTIME): the first pass tries all; later, each is tried 1, 2, 4, 8,
 * 16 and 32 minutes after it was made and then every hour.
 */
bool spool_due(const struct spool *spool, int64_t now_s);

/*
 * Goes through the spool, oldest first: each record that is due at @now_s is given to @try_one with its name and path, unless
 * @busy says that it is in other hands; then what it ended with, age and size decide what becomes of it. May take long.
 */
void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data);

#endif
