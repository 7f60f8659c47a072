/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of jobs: what `stint summary` prints a line of, and what `stint-site groups` hands over as JSON lines. A
 * group's numbers add and subtract, so that a database can keep them as rollups.
 *
 * A line of `stint-site groups` is what job_group_json() makes:
 *  {"keys": {"user": "ada", "week": "2026-11-16"}, "jobs": 12, "complete": 11, "nodes_expected": 12, "nodes_present":
 * 12, "short": 3, "oom": 1, "ends": {"completed": 10, ...}, "verdicts": {"cpu": 7, ...}, "findings": {"oom-kill": 1,
 * ...}, "sums": {"cpu_given_core_ms": 123, ...}, "known": {"cpu_given_core_ms": 12, ...}, "bins": {"cpu_efficiency":
 * {"BIN": COUNT, ...}, "memory_efficiency": ..., "elapsed": ..., "queued": ...}} Counts of 0 may be absent. A key that
 * is not known is null.
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

#define JOB_KEYS_MAX 2 /* by how much jobs are grouped at once */
#define JOB_SHORT_MS 60000 /* a job that ran for less is short */

/* By what jobs are grouped. A job stands in one group of each, but of RULE, TOOL, NODE and FINDING. */
enum job_key {
	JOB_KEY_USER,
	JOB_KEY_ACCOUNT,
	JOB_KEY_PARTITION,
	JOB_KEY_QOS,
	JOB_KEY_TOOL,    /* of the tool: only runs, failures, CPU and wall time; the job's other numbers stay out */
	JOB_KEY_RULE,    /* a workflow's rule or process; jobs without one stand under null */
	JOB_KEY_NODE,    /* the node's part of the job */
	JOB_KEY_VERDICT,
	JOB_KEY_FINDING, /* each of the job's findings; jobs without one stand under null */
	JOB_KEY_JOB_NAME,
	JOB_KEY_STATE,
	JOB_KEY_SIZE,    /* by allocated CPUs: "1", "2-8", "9-32", "33-128", "129-512", "513-2048", "2049-" */
	JOB_KEY_DAY,     /* in which the job ended, in the zone of the process: "2026-11-22" */
	JOB_KEY_WEEK,    /* its Monday */
	JOB_KEY_MONTH,   /* "2026-11" */
	JOB_KEY_CLUSTER,
	JOB_KEY_COUNT
};

enum job_bins { JOB_BINS_CPU, JOB_BINS_MEMORY, JOB_BINS_ELAPSED, JOB_BINS_QUEUED, JOB_BINS_COUNT };

/* Jobs of a period: they ended in it. Microseconds since 1970 UTC; 0: open to that side. */
struct job_period {
	int64_t since_us; /* the first moment that is in it */
	int64_t until_us; /* the first that is not */
};

struct job_group {
	char *keys[JOB_KEYS_MAX]; /* NULL: not known, or no such key */
	int64_t jobs, complete, brief; /* brief: shorter than JOB_SHORT_MS */
	int64_t oom; /* OUT_OF_MEMORY, or the kernel killed a process for memory */
	int64_t nodes_expected, nodes_present; /* coverage */
	int64_t ends[JOB_END_COUNT];
	int64_t verdicts[BOUND_UNKNOWN + 1];
	int64_t findings[FINDING_COUNT];
	int64_t sum[JOB_MEASURE_COUNT];   /* over the jobs of which it is known */
	int64_t known[JOB_MEASURE_COUNT]; /* how many these are */
	int64_t tool_runs, tool_failures, tool_cpu_ms, tool_wall_ms; /* see job_group_add_tool() */
	struct bins bins[JOB_BINS_COUNT]; /* of CPU and memory efficiency in ppm, elapsed and queued in ms */
};

/* Names of the keys, as --by has them ("job-name"). */
extern const char *const job_key_names[JOB_KEY_COUNT];

/*
 * Returns the key called @name; JOB_KEY_COUNT: there is none.
 */
enum job_key job_key_find(const char *name);

/*
 * Returns the @value of @key as people read it: a finding's words and not its code. NULL stays NULL.
 */
const char *job_key_words(enum job_key key, const char *value);

/*
 * Adds @row to @group (@sign 1), or takes it away again (@sign -1). The group's keys stay as they are.
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int job_group_add(struct job_group *group, const struct job_row *row, int sign, struct error *err);

/*
 * Adds what @tool did, or takes it away (@sign -1).
 */
void job_group_add_tool(struct job_group *group, const struct job_row_tool *tool, int sign);

/*
 * Adds all of @other to @group, or takes it away (@sign -1).
 */
int job_group_merge(struct job_group *group, const struct job_group *other, int sign, struct error *err);

/*
 * Returns @group as the JSON object above, to be put; NULL when memory is short. job_group_parse() reads it back.
 *
 * @by: JOB_KEY_COUNT where there is no such key
 */
struct json_object *job_group_json(const struct job_group *group, const enum job_key by[JOB_KEYS_MAX]);
int job_group_parse(struct json_object *json, const enum job_key by[JOB_KEYS_MAX], struct job_group *group,
		    struct error *err);

void job_group_free(struct job_group *group);

#endif
