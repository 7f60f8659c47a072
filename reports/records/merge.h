/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the tools and steps that several nodes recorded, and the nodes' timelines. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * Names the batch script. slurmd runs a copy of the script, spool/jobNNNNN/slurm_script. The report shows the name
 * that the script's author gave it, or "job script" if that name is not known.
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty if not known; has room for U+FFFD, which has three bytes, in place of each byte */
};

/* Fills @script with the batch script's own name, which it takes from Slurm's answer @slurm. @slurm may be NULL. */
void merge_find_script(const struct record_slurm_job *slurm, int64_t job_id, struct merge_script *script);

/*
 * Returns the name that the report uses for the tool at @index of @record (record_tool_at()); borrowed. Returns NULL
 * if there is no such tool.
 */
const char *merge_tool_name(const struct record *record, int64_t index, const struct merge_script *script);

/* Returns true if the tool at @index of @record is part of Slurm. */
bool merge_is_slurms(const struct record *record, int64_t index);

/*
 * Puts the tools into @report, the one with the most CPU time first. Merges tools that have the same name,
 * interpreter and paths.
 *
 * @mapped: raised to the most bytes of mapped files that any one process of the user had in memory. The bytes of
 * several processes are not added up, because the processes of a job usually map the same files
 */
void merge_tools(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		 int64_t *mapped);

/*
 * Puts the timeline into @report, sorted by start.
 *
 * @judged: set to the entries that the verdict looks at. These are the chosen entries (kept.h) of each record. If the
 * entries of a record were not chosen, all of that record's entries are included
 */
void merge_timeline(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged);

/* Marks each step in @steps that reached its own time limit, according to Slurm's answer @slurm. */
void merge_mark_timed_out(const struct report_step_list *steps, const struct record_slurm_job *slurm);

/*
 * Puts the steps into the report, sorted by start. If no process of the user ran in a step, on any node, adds the
 * step's id to progress.steps_without_processes. If a value is known for the job, but not for a step, adds a gap
 * steps.ID.NAME.
 */
void merge_steps(const struct record *const records[], size_t count, struct making *making);

/* Sets @exit_code and @signal from the wait status @status. Sets @signal to 0 if no signal ended the process. */
void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal);

/* Returns the name that the report uses for @tool. Borrowed. */
const char *merge_name_of_tool(const struct record_tool *tool, const struct merge_script *script);

/* Returns true if @tool is the batch script. */
bool merge_is_script(const struct record_tool *tool, const struct merge_script *script);

#endif
