/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process or rule of a workflow that a job belongs to.
 * Reads only names and directories that Nextflow and Snakemake give to jobs, and no file of the user.
 */
#ifndef STINT_WORKFLOW_H
#define STINT_WORKFLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/records/record.h"

/*
 * Sets job.workflow of @report. The job must already have its name, work directory and array id.
 * Sets only what is certain.
 * @slurm: Slurm's answer; may be NULL.
 */
void workflow_put(struct report *report, const struct record_slurm_job *slurm);

/*
 * Returns the job's process, rule or group as the user wrote its name, borrowed; NULL if there is none.
 * @kind: set to "process", "rule" or "group"; may be NULL.
 */
const char *workflow_unit(const struct report *report, const char **kind);

/* workflow_unit() of job.workflow. */
const char *workflow_unit_of(const struct report_workflow *workflow, const char **kind);

/*
 * Writes "Snakemake rule align, A". The names are not escaped.
 * Returns false, with @text empty, if there is no workflow.
 */
bool workflow_text(const struct report *report, char *text, size_t size);

/* workflow_text() of job.workflow. */
bool workflow_text_of(const struct report_workflow *workflow, char *text, size_t size);

#endif
