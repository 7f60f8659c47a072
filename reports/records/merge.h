/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the tools, steps and timelines of several nodes. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/memory/map.h"
#include "reports/records/making.h"
#include "reports/records/record.h"

/*
 * The batch script. slurmd runs a copy, spool/jobNNNNN/slurm_script. The report has the original name, or "job script".
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty: not known; U+FFFD has three bytes */
};

/* Finds the script's name in @slurm, which may be NULL. */
void merge_find_script(const struct record_slurm_job *slurm, int64_t job_id, struct merge_script *script);

/* Returns the name of a tool in the report; NULL if there is no tool. Borrowed. @index: as for record_tool_at() */
const char *merge_tool_name(const struct record *record, int64_t index, const struct merge_script *script);

bool merge_is_slurms(const struct record *record, int64_t index);

/*
 * Puts the tools into @report, sorted by CPU time. Merges tools with the same name, interpreter and path.
 *
 * @mapped: raised to the bytes of mapped files of the process with the most. Processes mostly map the same files, so
 * these bytes are not added up
 */
void merge_tools(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		 int64_t *mapped);

/*
 * Puts the containers into @report, sorted by start. Merges containers with the same runtime, image and kind of root.
 * Call before merge_tools() and merge_timeline().
 */
void merge_containers(const struct record *const records[], size_t count, struct report *report);

/* Fills @places, which must be all zero, for merge_container(). The caller calls map_free(). */
void merge_container_places(struct report *report, struct map *places);

/* Returns the place in the report's list of the container @index of @record; REPORT_UNKNOWN if there is none. */
int64_t merge_container(const struct map *places, const struct record *record, int64_t index);

/*
 * Puts the timeline into @report, sorted by start.
 *
 * @judged: receives the entries for the verdict: of each record the chosen entries (kept.h), or all if none were chosen
 */
void merge_timeline(const struct record *const records[], size_t count, const struct merge_script *script, struct report *report,
		    struct report_entry_list *judged);

/* Marks the steps that reached their own time limit. */
void merge_mark_timed_out(const struct report_step_list *steps, const struct record_slurm_job *slurm);

/*
 * Puts the steps into the report, sorted by start. Lists steps without a process of the user in
 * progress.steps_without_processes. Adds a gap steps.ID.NAME for a value that only the job has.
 */
void merge_steps(const struct record *const records[], size_t count, struct making *making);

/* Sets the exit code and the signal (0: none) from a wait status. */
void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal);

/* Returns the name of @tool in the report; borrowed. */
const char *merge_name_of_tool(const struct record_tool *tool, const struct merge_script *script);

bool merge_is_script(const struct record_tool *tool, const struct merge_script *script);

#endif
