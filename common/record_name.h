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

/* What the name of a record says. */
struct record_name {
	int job_length; /* bytes of CLUSTER.NODE.JOB.ATTEMPT */
	uint64_t begin_s;
	uint32_t uid;
	bool continues;
};

/* Reads the @name of a record. Returns false if it does not have the form above. */
bool record_name_read(const char *name, struct record_name *read);

/*
 * Returns whether the record @later continues the record @former, directly or after another record in between. That is
 * so if both are from the same attempt of the same user's job on the same node, and @later does not begin before
 * @former.
 */
bool record_name_follows(const char *later, const char *former);

#define RECORD_PLACES 2 /* directories of the spool: spool_dir, and its reserve */
#define RECORD_RESERVE "spool" /* name of the reserve in run_dir, which is in memory */

/*
 * Compares two names for qsort(). The order puts the records of one job on one node next to each other, and each record
 * after the one that it continues.
 */
int record_name_order(const char *one, const char *other);

#endif
