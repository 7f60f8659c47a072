/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process or rule of a workflow that a job belongs to, by the names that Nextflow and Snakemake give to the
 * jobs they submit. Uses only names and directories. Reads no script, environment or file of the user.
 */
#ifndef STINT_WORKFLOW_H
#define STINT_WORKFLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/records/record.h"

/*
 * Sets job.workflow of @report, whose job already has its name, work directory and array id. Sets nothing unless an
 * engine certainly submitted the job. A field stays unknown unless its value is certain.
 *
 * @slurm: Slurm's answer about the job; may be NULL
 */
void workflow_put(struct report *report, const struct record_slurm_job *slurm);

/*
 * Returns the name of the process, rule or group that the report's job belongs to. Returns NULL if there is none, or if
 * it is not known. The name is borrowed, and unchanged as its user wrote it.
 *
 * @kind: set to "process", "rule" or "group"; may be NULL
 */
const char *workflow_unit(const struct report *report, const char **kind);

/* Like workflow_unit(), for the report's job.workflow. */
const char *workflow_unit_of(const struct report_workflow *workflow, const char **kind);

/*
 * Writes "Snakemake rule align, A". The names are as their user wrote them, so the caller must escape the text.
 *
 * Returns false, with @text empty, if the report has no workflow.
 */
bool workflow_text(const struct report *report, char *text, size_t size);

/* Like workflow_text(), for the report's job.workflow. */
bool workflow_text_of(const struct report_workflow *workflow, char *text, size_t size);

#endif
