/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and compares the names of node records in the spool. Times are in seconds since 1970.
 *
 * - CLUSTER.NODE.JOB.ATTEMPT.BEGIN.uUID.record
 * - CLUSTER.NODE.JOB.ATTEMPT.BEGIN.c.uUID.record: continues an earlier record of the job
 */
#ifndef STINT_RECORD_NAME_H
#define STINT_RECORD_NAME_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_NAME_CONTINUES ".c"
#define RECORD_NAME_USER ".u"
#define RECORD_NAME_SUFFIX ".record"

struct record_name {
	int job_length; /* of CLUSTER.NODE.JOB.ATTEMPT, in bytes */
	uint64_t begin_s;
	uint32_t uid;
	bool continues;
};

/* Returns false if @name has neither form. */
bool record_name_read(const char *name, struct record_name *read);

/*
 * Returns whether @later continues @former, directly or with records in between.
 * Only a name with ".c" continues another record.
 */
bool record_name_follows(const char *later, const char *former);

#define RECORD_PLACES 2 /* spool_dir and the reserve */
#define RECORD_RESERVE "spool" /* the reserve in run_dir, in memory */

/* For qsort(). Sorts the records of one job on one node: each record comes after the record that it continues. */
int record_name_order(const char *one, const char *other);

#endif
