/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process or rule of a workflow that a job belongs to. Uses only the names and directories that Nextflow
 * and Snakemake give to the jobs that they submit. Reads no script, environment or file of the user.
 */
#ifndef STINT_WORKFLOW_H
#define STINT_WORKFLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/records/record.h"

/*
 * Sets job.workflow of @report. The report's job must already have its name, work directory and array id. Sets
 * nothing unless it is certain that an engine submitted the job. Leaves each field unknown unless its value is
 * certain.
 *
 * @slurm: Slurm's answer about the job; may be NULL
 */
void workflow_put(struct report *report, const struct record_slurm_job *slurm);

/*
 * Returns the name of the process, rule or group that the report's job belongs to, exactly as its user wrote it;
 * borrowed. Returns NULL if there is none, or if it is not known.
 *
 * @kind: set to "process", "rule" or "group"; may be NULL
 */
const char *workflow_unit(const struct report *report, const char **kind);

/* Like workflow_unit(), but takes the job.workflow of a report. */
const char *workflow_unit_of(const struct report_workflow *workflow, const char **kind);

/*
 * Writes a text such as "Snakemake rule align, A". The caller must escape the text, because the names in it are as
 * their user wrote them.
 *
 * Returns false, with @text empty, if the report has no workflow.
 */
bool workflow_text(const struct report *report, char *text, size_t size);

/* Like workflow_text(), but takes the job.workflow of a report. */
bool workflow_text_of(const struct report_workflow *workflow, char *text, size_t size);

#endif
