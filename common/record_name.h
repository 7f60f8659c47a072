/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and compares the names of node records in the spool. A name has one of these forms, with times in seconds
 * since 1970. A record with ".c" continues an earlier record of the same job.
 *
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.uUID.record
 *     CLUSTER.NODE.JOB.ATTEMPT.BEGIN.c.uUID.record
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
	int job_length; /* length in bytes of CLUSTER.NODE.JOB.ATTEMPT */
	uint64_t begin_s;
	uint32_t uid;
	bool continues;
};

/* Reads the @name of a record. Returns false if @name has neither of the forms above. */
bool record_name_read(const char *name, struct record_name *read);

/*
 * Returns whether the record @later continues the record @former, directly or with other records in between. It does
 * if its name has ".c", if both records are from the same attempt of the same user's job on the same node, and if
 * @later does not begin before @former.
 */
bool record_name_follows(const char *later, const char *former);

#define RECORD_PLACES 2 /* number of directories in the spool: spool_dir, and the reserve */
#define RECORD_RESERVE "spool" /* name of the reserve, a directory in run_dir, which is in memory */

/*
 * Compares two names for qsort(). Sorts the records of one job on one node next to each other, and each record after
 * the record that it continues.
 */
int record_name_order(const char *one, const char *other);

#endif
