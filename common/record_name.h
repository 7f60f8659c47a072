/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of node records in the spool:
 *
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.uUID.record       the times are in seconds since 1970
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.c.uUID.record     it continues an earlier record of the same job
 */
#ifndef STINT_RECORD_NAME_H
#define STINT_RECORD_NAME_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_NAME_CONTINUES ".c"
#define RECORD_NAME_USER ".u"
#define RECORD_NAME_SUFFIX ".record"

/* The parts of a record's name. It points into the name. */
struct record_name {
	int job_length; /* bytes of CLUSTER.NODE.JOB.ATTEMPT */
	uint64_t begin_s;
	uint32_t uid;
	bool continues;
};

/* Reads the @name of a record. Returns false if it does not have the form above. */
bool record_name_read(const char *name, struct record_name *read);

/*
 * Returns whether the record @later continues @former, or one between the two: both are of the same attempt of the same
 * user's job on the same node, and @later does not begin before.
 */
bool record_name_follows(const char *later, const char *former);

#define RECORD_PLACES 2 /* of the spool: spool_dir, and its reserve */
#define RECORD_RESERVE "spool" /* the reserve's name in run_dir, which is in memory */

/*
 * Orders names as qsort() needs it: the records of one job on one node are next to each other, each after the one that
 * it continues.
 */
int record_name_order(const char *one, const char *other);

#endif
