/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the reports of requeued jobs.
 * All attempts of a job have one id, but their reports need different names in one directory.
 * The latest attempt has the plain name: stint-12.json. Earlier ones have stint-12.attempt-1.json.
 *
 * The user can forge an existing report. That affects only other reports of the same user.
 */
#ifndef STINT_ATTEMPT_H
#define STINT_ATTEMPT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/records/record.h"

/*
 * Writes the name for the report of @attempt to @out:
 * @name with ".attempt-N" before ".json", or at its end.
 * If that is too long, @out is made from the default report name of the job @job_id.
 */
void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1]);

/*
 * Adds a gap for each earlier attempt without a report.
 * A node that crashes writes no report, so nothing else mentions its attempt.
 *
 * @dirfd, @name: where @report will be written
 */
void attempt_add_gaps(int dirfd, const char *name, struct report *report);

/* A report for attempt_write(). */
struct attempt_report {
	const struct report *report;
	const char *text; /* of the report */
	size_t len; /* of text */
	mode_t mode; /* of the files to write */
};

/*
 * Writes @report into the directory @dirfd as @name. An existing report of the job with this name may be of
 * - an earlier attempt: it is first renamed (not copied) to its attempt's name.
 * - a later attempt: @report is written under its own attempt's name instead.
 * - the same attempt: if it contains more than @report, it stays, and @report is not written.
 * The report with more nodes contains more. If both have equally many nodes, the report with more processes
 * contains more, or the only report with a process or step.
 *
 * @name: set to the name that @report got
 *
 * Returns 0; -1 with @err and errno set, and the existing report unchanged.
 * EEXIST: a device, a FIFO or a socket has the name, so a retry is useless.
 */
int attempt_write(int dirfd, char name[NAME_MAX + 1], const struct attempt_report *report, struct error *err);

/*
 * Returns whether the file @name in @dirfd is a report of the attempt in @job that contains @node.
 * The report must have a process or a step.
 *
 * @node: if NULL, the report must contain at least @node_count nodes
 * @slurm: Slurm's answer about the job; may be NULL. A report with another submit time is of another job
 */
bool attempt_is_reported(int dirfd, const char *name, const struct record_identity *job, const struct record_slurm_job *slurm,
			 const char *node, size_t node_count);

#endif
