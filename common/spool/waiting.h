/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what waits on this node: node records, store lines and batches.
 *
 * Counts the files in the directories, so that stintd and `stint doctor` report the same numbers.
 */
#ifndef STINT_WAITING_H
#define STINT_WAITING_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/conf.h"

#define STORE_BACKLOG "store"
#define STORE_BACKLOG_LINES "lines"
#define STORE_BACKLOG_TAKEN "taken"
#define STORE_BACKLOG_BATCHES "batches"
#define STORE_BATCH_SUFFIX ".ndjson"

struct waiting_files {
	uint64_t count, bytes;
	int64_t oldest_unix_s; /* seconds since 1970; 0: no file */
};

struct waiting {
	struct waiting_files records;
	struct waiting_files reserve; /* the part of records that is in the reserve */
	struct waiting_files lines, batches;
};

#define WAITING_PLACES 5
#define WAITING_RECORD_PLACES 2 /* the first places hold records */
#define WAITING_PIECE 8 /* entries of a directory per call */

/* What earlier counts found. Must be zero at first. */
struct waiting_seen {
	struct waiting_place {
		struct timespec changed; /* of the directory; 0: read it again */
		struct waiting_files found;
	} list[WAITING_PLACES];
};

struct waiting_look {
	struct waiting_seen *seen;
	const struct conf *conf;
	int place, places;
	DIR *directory;
	struct waiting_place now;
	int why; /* errno of spool_dir; 0: none */
};

/*
 * Counts what waits. Reads only directories that have changed since the last count.
 *
 * To split the work, call waiting_begin(), then waiting_go_on() until it returns false, then waiting_end().
 * waiting_look() does all of this at once.
 *
 * @places: WAITING_PLACES; or WAITING_RECORD_PLACES, for records only
 */
void waiting_begin(struct waiting_look *look, struct waiting_seen *seen, const struct conf *conf, int places);

/* Reads at most WAITING_PIECE entries of a directory. Returns true if there is more to do. */
bool waiting_go_on(struct waiting_look *look);

/*
 * Sets @waiting. Returns 0; -1 with errno set if spool_dir cannot be read.
 * On failure, waiting->records counts only the records in the reserve.
 */
int waiting_end(const struct waiting_look *look, struct waiting *waiting);

int waiting_look(struct waiting *waiting, struct waiting_seen *seen, const struct conf *conf);

/* Returns the earlier of two times. 0 means no time. */
static inline int64_t waiting_older(int64_t one, int64_t other)
{
	return !one || (other && other < one) ? other : one;
}

#endif
