/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which process or rule of a workflow a job is, by the names that Nextflow and Snakemake give to the jobs they submit.
 * Names and directories alone tell it: no script, environment or file of the user's is read.
 */
#ifndef STINT_WORKFLOW_H
#define STINT_WORKFLOW_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

/*
 * Puts "workflow" into the report's @job, which has its name, work directory and array id already; nothing when it is
 * not certain that an engine submitted the job. Of what is in it, what is not certain is absent.
 *
 * @slurm: what stint-slurm-job said of the job; may be NULL
 */
void workflow_put(struct json_object *job, struct json_object *slurm);

/*
 * Returns the name of the process, rule or group that the report's job is of; NULL: of none, or not known. Borrowed,
 * and as its user wrote it.
 *
 * @kind: set to that word; may be NULL
 */
const char *workflow_unit(struct json_object *report, const char **kind);

/*
 * Writes "Snakemake rule align, A", as its user wrote the names: to be escaped by the caller.
 *
 * Returns false, with @text empty, when the report tells of no workflow.
 */
bool workflow_text(struct json_object *report, char *text, size_t size);

#endif
