/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What waits on this node: node records for their report, in spool_dir and its reserve, and lines and batches for the cluster's store.
 * Counts the files themselves, so that stintd and `stint doctor` say the same, whoever left them there.
 */
#ifndef STINT_WAITING_H
#define STINT_WAITING_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/conf.h"

#define STORE_BACKLOG "store" /* below spool_dir (reports/store/store_backlog.h) */
#define STORE_BACKLOG_LINES "lines"
#define STORE_BACKLOG_TAKEN "taken"
#define STORE_BACKLOG_BATCHES "batches"
#define STORE_BATCH_SUFFIX ".ndjson"

struct waiting_files {
	uint64_t count, bytes;
	int64_t oldest_unix_s; /* when it was written; 0: there is none */
};

struct waiting {
	struct waiting_files records; /* in spool_dir and in the reserve */
	struct waiting_files reserve; /* those of them that a reboot loses */
	struct waiting_files lines, batches;
};

#define WAITING_PLACES 5
#define WAITING_RECORD_PLACES 2 /* the first places, which have the records */
#define WAITING_PIECE 8 /* the most directory entries of one piece; each costs a system call */

/* What an earlier look found. Starts as all zero. */
struct waiting_seen {
	struct waiting_place {
		struct timespec changed; /* when its directory was changed last; 0: look */
		struct waiting_files found;
	} list[WAITING_PLACES];
};

/* A look that is being made. */
struct waiting_look {
	struct waiting_seen *seen;
	const struct conf *conf;
	int place, places; /* the place that is read now, and how many are read */
	DIR *directory; /* of this place; NULL: it is not open yet */
	struct waiting_place now; /* what was found there so far */
	int why; /* why spool_dir could not be read; 0 */
};

/*
 * Counts what waits, and reads only directories that have changed since the last look. A process that must not be busy for long
 * calls waiting_begin(), waiting_go_on() until it returns false, and waiting_end(). Others call waiting_look(), which does the same.
 *
 * @places: WAITING_PLACES, or WAITING_RECORD_PLACES. waiting_end() then takes the other numbers from earlier looks.
 */
void waiting_begin(struct waiting_look *look, struct waiting_seen *seen, const struct conf *conf, int places);

/* Reads at most WAITING_PIECE entries of a directory. Returns true if there is more to do. */
bool waiting_go_on(struct waiting_look *look);

/*
 * Sets @waiting to what was counted. Returns 0; -1 with errno set if spool_dir cannot be read: then only the reserve is
 * counted.
 */
int waiting_end(const struct waiting_look *look, struct waiting *waiting);

int waiting_look(struct waiting *waiting, struct waiting_seen *seen, const struct conf *conf);

/* Returns the older of two moments, of which 0 is none. */
static inline int64_t waiting_older(int64_t one, int64_t other)
{
	return !one || (other && other < one) ? other : one;
}

#endif
