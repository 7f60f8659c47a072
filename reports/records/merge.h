/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the nodes' records of the same tool or step, and their timelines. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/making.h"
#include "reports/records/settled.h"

/*
 * The batch script. slurmd runs a copy, spool/jobNNNNN/slurm_script; the report gives it the name that its author gave
 * it, or "job script" if that is not known.
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty: not known. A byte that is not UTF-8 takes three */
};

/*
 * Finds the batch script's own name in @slurm, stint-slurm-job's answer (may be NULL).
 */
void merge_find_script(struct json_object *slurm, int64_t job_id, struct merge_script *script);

/*
 * Returns the report's name of the tool that @entry refers to by its index, or NULL. @entry: in @record's timeline or
 * another of its lists. Borrowed.
 */
const char *merge_tool_name(struct json_object *record, struct json_object *entry, const struct merge_script *script);

/* Returns whether that tool is Slurm's own. */
bool merge_is_slurms(struct json_object *record, struct json_object *entry);

/*
 * Puts the tools into @report. Merges tools of the same name, interpreter and paths. The tool with the most CPU time is
 * first.
 *
 * @for_row: only the fields that build_input.for_row needs
 * @mapped: raised to the most bytes of mapped files that a user's process had resident, if that is larger. Processes of
 * one job usually map the same files, so the bytes of several processes are not added up
 */
void merge_tools(struct json_object *const records[], size_t count, const struct merge_script *script, bool for_row,
		 struct report *report, int64_t *mapped);

/*
 * Puts the timeline into @report, sorted by start.
 *
 * @judged: gets those of its entries that the verdict looks at: few of a settled record (kept.h), else all
 */
void merge_timeline(struct json_object *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged);

/*
 * Each makes one of the record's lists small: the timeline and the steps' tasks, which move to @settled, and the tools.
 * Once @settled is attached, the merging functions find them there. The timeline must be settled before the tools.
 */
void merge_settle_timeline(struct json_object *record, const struct merge_script *script, struct settled *settled);
void merge_settle_tasks(struct json_object *record, struct settled *settled);
void merge_settle_tools(struct json_object *record);

/* Marks the report's @steps that reached their own time limit, according to @slurm, stint-slurm-job's answer (may be NULL). */
void merge_mark_timed_out(const struct report_step_list *steps, struct json_object *slurm);

/*
 * Puts the steps into the report, sorted by start. Puts the ids of steps in which no process of the user ran, on any of
 * their nodes, into progress.steps_without_processes. A value that is known for the job, but not for a step, is named
 * in the gaps as steps.ID.NAME.
 *
 * @for_row: only the fields that build_input.for_row needs
 */
void merge_steps(struct json_object *const records[], size_t count, bool for_row, struct making *making);

/* Sets @exit_code and @signal (0: none) from a wait status. */
void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal);

/*
 * Returns the report's name for the tool @json of a record. Borrowed.
 */
const char *merge_name_of_tool(struct json_object *json, const struct merge_script *script);

#endif
