/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges what the nodes recorded of the same tool or step, and merges the nodes' timelines. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * The batch script. slurmd runs a copy of it, spool/jobNNNNN/slurm_script. The report shows the name that the script's
 * author gave it, or "job script" if that name is not known.
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty if not known. A byte that is not UTF-8 becomes three bytes */
};

/* Finds the batch script's own name in Slurm's answer @slurm, which may be NULL, and fills @script. */
void merge_find_script(const struct record_slurm_job *slurm, int64_t job_id, struct merge_script *script);

/*
 * Returns the name that the report uses for @record's tool @index (record_tool_at()); NULL if there is no such tool.
 * Borrowed.
 */
const char *merge_tool_name(const struct record *record, int64_t index, const struct merge_script *script);

/* Returns true if @record's tool @index is part of Slurm. */
bool merge_is_slurms(const struct record *record, int64_t index);

/*
 * Puts the tools into @report. Merges tools that have the same name, interpreter and paths. The tool with the most CPU
 * time comes first.
 *
 * @mapped: raised to the most bytes of mapped files that one process of the user had resident, if that is more.
 * Processes of one job usually map the same files, so the bytes of several processes are not added up
 */
void merge_tools(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		 int64_t *mapped);

/*
 * Puts the timeline into @report, sorted by start.
 *
 * @judged: set to the entries that the verdict looks at. If a record's entries were chosen (kept.h), these are few,
 * otherwise all
 */
void merge_timeline(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged);

/* Marks those of the report's @steps that reached their own time limit, according to Slurm's answer @slurm. */
void merge_mark_timed_out(const struct report_step_list *steps, const struct record_slurm_job *slurm);

/*
 * Puts the steps into the report, sorted by start. If no process of the user ran in a step, on any of its nodes, adds
 * the step's id to progress.steps_without_processes. If a value is known for the job, but not for a step, adds a gap
 * steps.ID.NAME.
 */
void merge_steps(const struct record *const records[], size_t count, struct making *making);

/* Sets @exit_code and @signal from a wait status. Sets @signal to 0 if there was no signal. */
void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal);

/* Returns the name that the report uses for @tool. Borrowed. */
const char *merge_name_of_tool(const struct record_tool *tool, const struct merge_script *script);

/* Returns true if @tool is the batch script. */
bool merge_is_script(const struct record_tool *tool, const struct merge_script *script);

#endif
