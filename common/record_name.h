/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of node records in the spool:
 *
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.uUID.record       the times are in seconds since 1970
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.c.uUID.record     it goes on where an earlier record of the same job ends
 */
#ifndef STINT_RECORD_NAME_H
#define STINT_RECORD_NAME_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_NAME_CONTINUES ".c"
#define RECORD_NAME_USER ".u"
#define RECORD_NAME_SUFFIX ".record"

/* What a record's name says. It points into the name. */
struct record_name {
	int job_length; /* bytes of CLUSTER.NODE.JOB.ATTEMPT */
	uint64_t begin_s;
	uint32_t uid;
	bool continues;
};

/*
 * Reads the @name of a record. Returns false where it is none of the form above.
 */
bool record_name_read(const char *name, struct record_name *read);

/*
 * Returns whether the record @later goes on where @former, or one between the two, ends: both are of the same attempt of
 * the same user's job on the same node, and @later does not begin before.
 */
bool record_name_follows(const char *later, const char *former);

#define RECORD_PLACES 2 /* of the spool: spool_dir, and its reserve */
#define RECORD_RESERVE "spool" /* the reserve's name in run_dir, which is in memory */

/* Orders names as qsort() wants it: the records of one job on one node stand together, each behind that from which it goes on. */
int record_name_order(const char *one, const char *other);

#endif
