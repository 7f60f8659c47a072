/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the nodes' records of the same tool or step, and their timelines. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * The batch script. slurmd runs a copy, spool/jobNNNNN/slurm_script; the report gives it the name that its author gave
 * it, or "job script" if that is not known.
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty: not known. A byte that is not UTF-8 takes three */
};

/* Finds the batch script's own name in Slurm's answer @slurm, which may be NULL, and fills @script. */
void merge_find_script(const struct record_slurm_job *slurm, int64_t job_id, struct merge_script *script);

/* Returns the report's name of @record's tool @index (record_tool_at()), or NULL. Borrowed. */
const char *merge_tool_name(const struct record *record, int64_t index, const struct merge_script *script);

/* Returns whether that tool is Slurm's own. */
bool merge_is_slurms(const struct record *record, int64_t index);

/*
 * Puts the tools into @report. Merges tools of the same name, interpreter and paths. The tool with the most CPU time is
 * first.
 *
 * @for_row: only the fields that build_input.for_row needs
 * @mapped: raised to the most bytes of mapped files that a user's process had resident, if that is larger. Processes of
 * one job usually map the same files, so the bytes of several processes are not added up
 */
void merge_tools(const struct record *const records[], size_t count, const struct merge_script *script, bool for_row,
		 struct report *report, int64_t *mapped);

/*
 * Puts the timeline into @report, sorted by start.
 *
 * @judged: set to the entries that the verdict looks at: few from a record whose entries were chosen (kept.h),
 * otherwise all
 */
void merge_timeline(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged);

/* Marks the report's @steps that reached their own time limit, according to @slurm. */
void merge_mark_timed_out(const struct report_step_list *steps, const struct record_slurm_job *slurm);

/*
 * Puts the steps into the report, sorted by start. Puts the ids of steps in which no process of the user ran, on any of
 * their nodes, into progress.steps_without_processes. A value that is known for the job, but not for a step, is named
 * in the gaps as steps.ID.NAME.
 *
 * @for_row: only the fields that build_input.for_row needs
 */
void merge_steps(const struct record *const records[], size_t count, bool for_row, struct making *making);

/* Sets @exit_code and @signal (0: none) from a wait status. */
void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal);

/*
 * Returns the report's name for @tool. Borrowed.
 */
const char *merge_name_of_tool(const struct record_tool *tool, const struct merge_script *script);

#endif
