/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what waits on this node: node records that wait for their report, in spool_dir and its reserve, and store
 * lines and batches that wait for the cluster's store. Counts the files themselves, so stintd and `stint doctor`
 * report the same numbers, no matter which process left the files.
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
	int64_t oldest_unix_s; /* when the oldest file was written, in seconds since 1970; 0: there is no file */
};

struct waiting {
	struct waiting_files records; /* in spool_dir and in the reserve */
	struct waiting_files reserve; /* those of the records that are in the reserve, which a reboot empties */
	struct waiting_files lines, batches;
};

#define WAITING_PLACES 5
#define WAITING_RECORD_PLACES 2 /* how many of the places hold records; these come first */
#define WAITING_PIECE 8 /* the most directory entries that one call of waiting_go_on() reads; each entry costs a system call */

/* What earlier counts found. Must be all zero at first. */
struct waiting_seen {
	struct waiting_place {
		struct timespec changed; /* modification time of the directory; 0: read the directory again */
		struct waiting_files found;
	} list[WAITING_PLACES];
};

/* A count in progress. */
struct waiting_look {
	struct waiting_seen *seen;
	const struct conf *conf;
	int place, places; /* index of the place that is being read, and how many places to read */
	DIR *directory; /* the directory that is being read; NULL: not open yet */
	struct waiting_place now; /* what has been found in this place so far */
	int why; /* errno if spool_dir could not be read; otherwise 0 */
};

/*
 * Counts what waits. Reads only directories that have changed since the last count. A process that must not be busy
 * for long calls waiting_begin(), then waiting_go_on() until that returns false, and then waiting_end(). Other
 * processes call waiting_look(), which does all of this at once.
 *
 * @places: WAITING_PLACES, or WAITING_RECORD_PLACES to read only the places with records. With the latter,
 * waiting_end() takes the numbers of the other places from earlier counts.
 */
void waiting_begin(struct waiting_look *look, struct waiting_seen *seen, const struct conf *conf, int places);

/* Does one small part of the count, and reads at most WAITING_PIECE entries of a directory. Returns true if there is more to do. */
bool waiting_go_on(struct waiting_look *look);

/*
 * Sets @waiting to the numbers of the count. Returns 0; -1 with errno set if spool_dir cannot be read. In that case,
 * the records are only those of the reserve.
 */
int waiting_end(const struct waiting_look *look, struct waiting *waiting);

int waiting_look(struct waiting *waiting, struct waiting_seen *seen, const struct conf *conf);

/* Returns the earlier of two times; if one time is 0, which means none, returns the other. */
static inline int64_t waiting_older(int64_t one, int64_t other)
{
	return !one || (other && other < one) ? other : one;
}

#endif
