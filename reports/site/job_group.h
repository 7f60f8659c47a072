/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up jobs in groups. `stint summary` prints one line for each group. `stint-site groups` prints
 * each group as a line of JSON. The numbers of a group can be added and subtracted, so a database can
 * keep them as rollups.
 *
 * A line of `stint-site groups` is what job_group_json() makes:
 * {"keys": {"user": "ada", "week": "2026-11-16"}, "jobs": 12, "complete": 11, "nodes_expected": 12, "nodes_present": 12,
 *  "short": 3, "oom": 1, "ends": {"completed": 10, ...}, "verdicts": {"cpu": 7, ...}, "findings": {"oom-kill": 1, ...},
 *  "sums": {"cpu_given_core_ms": 123, ...}, "known": {"cpu_given_core_ms": 12, ...}, "bins": {"cpu_efficiency":
 *  {"BIN": COUNT, ...}, "memory_efficiency": ..., "elapsed": ..., "queued": ...}}
 * Counts of 0 may be absent. A key whose value is not known is null.
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

#define JOB_KEYS_MAX 3 /* jobs are grouped by at most so many keys at once */
#define JOB_SHORT_MS 60000 /* a shorter job counts as short */

/* Keys of groups. A job is in one group of each key, except for TOOL, NODE and FINDING. */
enum job_key {
	JOB_KEY_USER,
	JOB_KEY_ACCOUNT,
	JOB_KEY_PARTITION,
	JOB_KEY_QOS,
	JOB_KEY_TOOL,    /* only the tool's runs, failures, CPU and wall time */
	JOB_KEY_RULE,    /* a workflow's rule or process; null if the job has none */
	JOB_KEY_NODE,    /* only the part of the job on that node */
	JOB_KEY_VERDICT,
	JOB_KEY_FINDING, /* one group for each finding; null if the job has none */
	JOB_KEY_JOB_NAME,
	JOB_KEY_STATE,
	JOB_KEY_SIZE,    /* allocated CPUs: "1", "2-8", "9-32", "33-128", "129-512", "513-2048", "2049-" */
	JOB_KEY_GPU,     /* the model of the job's GPUs; null if it had none, or several models */
	JOB_KEY_DAY,     /* of the end, in the process's time zone: "2026-11-22" */
	JOB_KEY_WEEK,    /* its Monday */
	JOB_KEY_MONTH,   /* "2026-11" */
	JOB_KEY_CLUSTER,
	JOB_KEY_COUNT
};

enum job_bins { JOB_BINS_CPU, JOB_BINS_MEMORY, JOB_BINS_ELAPSED, JOB_BINS_QUEUED, JOB_BINS_COUNT };

/* In microseconds since 1970 UTC; 0 for no bound. A job belongs to the period in which it ended. */
struct job_period {
	int64_t since_us; /* the first moment of the period */
	int64_t until_us; /* the first moment after the period */
};

struct job_group {
	char *keys[JOB_KEYS_MAX]; /* values of the keys; NULL if a value is not known, or if there are fewer keys */
	int64_t jobs, complete, brief; /* brief: shorter than JOB_SHORT_MS */
	int64_t oom; /* ended as OUT_OF_MEMORY, or the kernel killed a process for memory */
	int64_t nodes_expected, nodes_present; /* coverage */
	int64_t ends[JOB_END_COUNT];
	int64_t verdicts[BOUND_UNKNOWN + 1];
	int64_t findings[FINDING_COUNT];
	int64_t sum[JOB_MEASURE_COUNT];   /* over the jobs that have the measure */
	int64_t known[JOB_MEASURE_COUNT]; /* how many jobs have the measure */
	int64_t tool_runs, tool_failures, tool_cpu_ms, tool_wall_ms; /* see job_group_add_tool() */
	struct bins bins[JOB_BINS_COUNT]; /* CPU and memory efficiency in ppm, elapsed and queued time in ms */
};

/* As --by accepts them ("job-name"). */
extern const char *const job_key_names[JOB_KEY_COUNT];

/* Returns the key called @name; JOB_KEY_COUNT if there is no such key. */
enum job_key job_key_find(const char *name);

/*
 * Returns @value as people read it: for a finding, words instead of its code. Returns NULL if @value is NULL.
 *
 * @key: of @value
 */
const char *job_key_words(enum job_key key, const char *value);

/*
 * Adds @row if @sign is 1, or subtracts it if -1. Does not change the keys.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_group_add(struct job_group *group, const struct job_row *row, int sign, struct error *err);

/*
 * Like job_group_add(), but the caller knows the bins of the row's values.
 *
 * @bins: bins_index() of CPU efficiency, memory efficiency, elapsed and queued time; -1 if not known
 */
int job_group_add_binned(struct job_group *group, const struct job_row *row, const int32_t bins[JOB_BINS_COUNT], int sign,
			 struct error *err);

/* Two parts of job_group_add(): adds all but measures and bins, and only the measures in @list. */
void job_group_add_counts(struct job_group *group, const struct job_row *row, int sign);
void job_group_add_measures(struct job_group *group, const struct job_row *row, const enum job_measure *list, size_t count);

/* Fills @bins for job_group_add_binned(). */
void job_group_bins(const struct job_row *row, int32_t bins[JOB_BINS_COUNT]);

/* Adds @tool if @sign is 1, or subtracts it if -1. */
void job_group_add_tool(struct job_group *group, const struct job_row_tool *tool, int sign);

/* Adds @other if @sign is 1, or subtracts it if -1. Returns 0; -1 with @err set if out of memory. */
int job_group_merge(struct job_group *group, const struct job_group *other, int sign, struct error *err);

/*
 * job_group_json() returns the object that the top of this file shows, to be released with json_object_put(); NULL if
 * out of memory. job_group_parse() reads it.
 *
 * @by: the keys; JOB_KEY_COUNT stands for no key
 */
struct json_object *job_group_json(const struct job_group *group, const enum job_key by[JOB_KEYS_MAX]);
int job_group_parse(struct json_object *json, const enum job_key by[JOB_KEYS_MAX], struct job_group *group,
		    struct error *err);

void job_group_free(struct job_group *group);

#endif
