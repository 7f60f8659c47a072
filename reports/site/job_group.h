/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of jobs. `stint summary` prints one line for each group, and `stint-site groups` prints groups as JSON lines. A group's
 * numbers can be added and subtracted, so a database can keep them as rollups.
 *
 * A line of `stint-site groups` is what job_group_json() makes:
 * {"keys": {"user": "ada", "week": "2026-11-16"}, "jobs": 12, "complete": 11, "nodes_expected": 12, "nodes_present": 12,
 *  "short": 3, "oom": 1, "ends": {"completed": 10, ...}, "verdicts": {"cpu": 7, ...}, "findings": {"oom-kill": 1, ...},
 *  "sums": {"cpu_given_core_ms": 123, ...}, "known": {"cpu_given_core_ms": 12, ...}, "bins": {"cpu_efficiency":
 *  {"BIN": COUNT, ...}, "memory_efficiency": ..., "elapsed": ..., "queued": ...}}
 * Counts of 0 may be absent. A key that is not known is null.
 */
#ifndef STINT_JOB_GROUP_H
#define STINT_JOB_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/site/bins.h"
#include "reports/site/job_row.h"

#define JOB_KEYS_MAX 2 /* jobs are grouped by at most this many keys at once */
#define JOB_SHORT_MS 60000 /* a job that ran for less time is short */

/*
 * The keys by which jobs are grouped. A job is in exactly one group of each key, except for RULE, TOOL, NODE and
 * FINDING.
 */
enum job_key {
	JOB_KEY_USER,
	JOB_KEY_ACCOUNT,
	JOB_KEY_PARTITION,
	JOB_KEY_QOS,
	JOB_KEY_TOOL,    /* has only the tool's runs, failures, CPU and wall time, and no other numbers of the job */
	JOB_KEY_RULE,    /* a workflow's rule or process; null if the job has none */
	JOB_KEY_NODE,    /* has the part of the job that ran on the node */
	JOB_KEY_VERDICT,
	JOB_KEY_FINDING, /* one group for each of the job's findings; null if the job has none */
	JOB_KEY_JOB_NAME,
	JOB_KEY_STATE,
	JOB_KEY_SIZE,    /* number of allocated CPUs: "1", "2-8", "9-32", "33-128", "129-512", "513-2048", "2049-" */
	JOB_KEY_DAY,     /* the day on which the job ended, in the process's time zone: "2026-11-22" */
	JOB_KEY_WEEK,    /* the Monday of the week in which the job ended */
	JOB_KEY_MONTH,   /* "2026-11" */
	JOB_KEY_CLUSTER,
	JOB_KEY_COUNT
};

enum job_bins { JOB_BINS_CPU, JOB_BINS_MEMORY, JOB_BINS_ELAPSED, JOB_BINS_QUEUED, JOB_BINS_COUNT };

/*
 * A period of time. A job belongs to the period in which it ended. In microseconds since 1970 UTC; 0 if the period
 * has no bound on that side.
 */
struct job_period {
	int64_t since_us; /* the first moment in the period */
	int64_t until_us; /* the first moment after the period */
};

struct job_group {
	char *keys[JOB_KEYS_MAX]; /* NULL if not known, or if there is no such key */
	int64_t jobs, complete, brief; /* brief counts jobs shorter than JOB_SHORT_MS */
	int64_t oom; /* jobs that ended as OUT_OF_MEMORY, or in which the kernel killed a process for memory */
	int64_t nodes_expected, nodes_present; /* coverage */
	int64_t ends[JOB_END_COUNT];
	int64_t verdicts[BOUND_UNKNOWN + 1];
	int64_t findings[FINDING_COUNT];
	int64_t sum[JOB_MEASURE_COUNT];   /* sum over the jobs for which the measure is known */
	int64_t known[JOB_MEASURE_COUNT]; /* number of jobs for which the measure is known */
	int64_t tool_runs, tool_failures, tool_cpu_ms, tool_wall_ms; /* see job_group_add_tool() */
	struct bins bins[JOB_BINS_COUNT]; /* CPU and memory efficiency in ppm, elapsed and queued time in ms */
};

/* Names of the keys, as --by accepts them ("job-name"). */
extern const char *const job_key_names[JOB_KEY_COUNT];

/* Returns the key called @name; JOB_KEY_COUNT if there is none. */
enum job_key job_key_find(const char *name);

/*
 * Returns @value of @key in words for people. For a finding, these are words instead of its code. Returns NULL for
 * NULL.
 */
const char *job_key_words(enum job_key key, const char *value);

/*
 * Adds @row to @group if @sign is 1, or subtracts it if @sign is -1. Does not change the group's keys.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_group_add(struct job_group *group, const struct job_row *row, int sign, struct error *err);

/*
 * Like job_group_add(), for a row whose bins are known, so that they need not be computed again.
 *
 * @bins: the row's bins (bins_index()) of CPU and memory efficiency, elapsed and queued time; -1 if not known
 */
int job_group_add_binned(struct job_group *group, const struct job_row *row, const int32_t bins[JOB_BINS_COUNT], int sign,
			 struct error *err);

/* Fills @bins with the row's bins, as job_group_add_binned() needs them. */
void job_group_bins(const struct job_row *row, int32_t bins[JOB_BINS_COUNT]);

/* Adds the numbers of @tool to @group if @sign is 1, or subtracts them if @sign is -1. */
void job_group_add_tool(struct job_group *group, const struct job_row_tool *tool, int sign);

/*
 * Adds all numbers of @other to @group if @sign is 1, or subtracts them if @sign is -1. Returns 0; -1 with @err set
 * if out of memory.
 */
int job_group_merge(struct job_group *group, const struct job_group *other, int sign, struct error *err);

/*
 * Return @group as the JSON object described above, or read such an object back. Release the object with
 * json_object_put(). NULL if out of memory.
 *
 * @by: JOB_KEY_COUNT if there is no such key
 */
struct json_object *job_group_json(const struct job_group *group, const enum job_key by[JOB_KEYS_MAX]);
int job_group_parse(struct json_object *json, const enum job_key by[JOB_KEYS_MAX], struct job_group *group,
		    struct error *err);

void job_group_free(struct job_group *group);

#endif
