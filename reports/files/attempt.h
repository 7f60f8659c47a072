/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the reports of requeued jobs. A requeued job keeps its id, and so the name of its report. The report of the
 * latest attempt has this name. Reports of earlier attempts are in the same directory: stint-12.json and
 * stint-12.attempt-1.json.
 *
 * An existing report is in the user's directory, and the user may have forged it. So it affects only that user's own
 * report.
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
 * Writes the name of an attempt's report to @out. This is the report's name @name with ".attempt-N" before ".json", or
 * at the end if there is no ".json". If the result is too long, @out is made from the default name of the job @job_id.
 */
void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1]);

/*
 * Adds a gap to @report for each earlier attempt of the job that left no report. @report will be written as @name in
 * the directory @dirfd. If a node crashed, it wrote no report of its attempt, and only this gap mentions the attempt.
 */
void attempt_add_gaps(int dirfd, const char *name, struct report *report);

/* A report that must be written. */
struct attempt_report {
	const struct report *report;
	const char *text; /* of the report */
	size_t len; /* of text */
	mode_t mode; /* of the files to write */
};

/*
 * Writes @report into the directory @dirfd as @name, with these exceptions:
 * - if a report of an earlier attempt of the same job has this name, it is first renamed to its attempt's name, not
 *   copied;
 * - if a report of a later attempt has this name, @report gets its own attempt's name;
 * - a report of the same attempt stays if it has more nodes, or has work and @report has none.
 *
 * @name: set to the name that the report got
 *
 * Returns 0; -1 with @err and errno set, and the existing report unchanged. errno is EEXIST if a retry cannot succeed
 * either, because a device, a FIFO or a socket has the name.
 */
int attempt_write(int dirfd, char name[NAME_MAX + 1], const struct attempt_report *report, struct error *err);

/*
 * Returns true if the report @name of the directory @dirfd is already for the job and attempt @job, and contains @node.
 * If @node is NULL, it must contain all @node_count nodes.
 *
 * @slurm: Slurm's answer about the job, or NULL. A report with another submit time belongs to another job
 */
bool attempt_is_reported(int dirfd, const char *name, const struct record_identity *job, const struct record_slurm_job *slurm,
			 const char *node, size_t node_count);

#endif
