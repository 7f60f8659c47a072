/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the reports of requeued jobs. A requeued job keeps its id, so the reports of all its attempts would have one
 * name, such as stint-12.json. The report of the latest attempt gets this name. The report of an earlier attempt is in
 * the same directory, with a name such as stint-12.attempt-1.json.
 *
 * An existing report is in the user's directory, so the user may have forged it. A forged report can affect only other
 * reports of the same user.
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
 * Writes the name for the report of @attempt to @out. The name is @name with ".attempt-N" inserted before ".json", or
 * appended if @name has no ".json". If the result is too long, @out is made from the default report name of the job
 * @job_id.
 */
void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1]);

/*
 * Adds a gap to @report for each earlier attempt of the job that left no report. Only this gap mentions an attempt
 * whose node crashed, because such a node wrote no report.
 *
 * @dirfd, @name: the directory and the name under which @report will be written
 */
void attempt_add_gaps(int dirfd, const char *name, struct report *report);

/* A report that attempt_write() must write. */
struct attempt_report {
	const struct report *report;
	const char *text; /* of the report */
	size_t len; /* of text */
	mode_t mode; /* of the files to write */
};

/*
 * Writes @report into the directory @dirfd as @name. What happens if @name exists depends on the report that has this
 * name:
 * - If it is the report of an earlier attempt of the job, it is first renamed (not copied) to that attempt's own name.
 * - If it is the report of a later attempt, @report is written under the own name of its attempt instead.
 * - If it is a report of the same attempt that contains more than @report, it stays, and @report is not written. It
 *   contains more if it has more nodes. If both have as many nodes, it contains more if it has more processes, or has
 *   work and @report has none.
 *
 * @name: set to the name that @report got
 *
 * Returns 0; -1 with @err and errno set, and the existing report unchanged. errno is EEXIST if a device, a FIFO or a
 * socket has the name, so that a retry cannot succeed either.
 */
int attempt_write(int dirfd, char name[NAME_MAX + 1], const struct attempt_report *report, struct error *err);

/*
 * Returns true if the file @name in the directory @dirfd is a report of the job and attempt in @job, has work in it,
 * and contains @node. If @node is NULL, the report must contain at least @node_count nodes instead.
 *
 * @slurm: Slurm's answer about the job, or NULL. A report whose submit time differs from Slurm's belongs to another job
 */
bool attempt_is_reported(int dirfd, const char *name, const struct record_identity *job, const struct record_slurm_job *slurm,
			 const char *node, size_t node_count);

#endif
