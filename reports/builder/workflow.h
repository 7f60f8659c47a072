/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which process or rule of a workflow a job is of, by the names that Nextflow and Snakemake give to the jobs they
 * submit. Only names and directories are used: no script, environment or file of the user's is read.
 */
#ifndef STINT_WORKFLOW_H
#define STINT_WORKFLOW_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "reports/model/report.h"

/*
 * Sets job.workflow of @report, whose job has its name, work directory and array id already. Sets nothing when it is not
 * certain that an engine submitted the job. A field that is not certain stays unknown.
 *
 * @slurm: what stint-slurm-job said of the job; may be NULL
 */
void workflow_put(struct report *report, struct json_object *slurm);

/*
 * Returns the name of the process, rule or group that the report's job is of; NULL: none, or not known. Borrowed, and
 * as its user wrote it.
 *
 * @kind: set to "process", "rule" or "group"; may be NULL
 */
const char *workflow_unit(const struct report *report, const char **kind);

/* The same, of the report's job.workflow. */
const char *workflow_unit_of(const struct report_workflow *workflow, const char **kind);

/*
 * Writes "Snakemake rule align, A", with the names as their user wrote them: the caller must escape the text.
 *
 * Returns false, with @text empty, when the report has no workflow.
 */
bool workflow_text(const struct report *report, char *text, size_t size);

/* The same, of the report's job.workflow. */
bool workflow_text_of(const struct report_workflow *workflow, char *text, size_t size);

#endif
