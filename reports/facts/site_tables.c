/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_tables.h"

#define INT DATABASE_INT
#define TEXT DATABASE_TEXT
#define BYTES DATABASE_BYTES
#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))
#define JOB_KEY { "cluster", INT }, { "job_id", INT }, { "submit", INT }, { "attempt", INT }
#define TABLE(variable, name, columns, key, monthly, wide, indexes, access) \
	const struct database_table variable = { name, columns, COUNT(columns), key, monthly, wide, indexes, access }

/* ---- words, the ledger ---- */

static const struct database_column cluster_columns[] = { { "text", TEXT }, { "id", INT } };
TABLE(table_cluster, "cluster", cluster_columns, 1, false, false, NULL, ACCESS_EVERYBODY);

static const struct database_column name_columns[] = { { "cluster", INT }, { "kind", INT }, { "text", TEXT }, { "id", INT } };
TABLE(table_name, "name", name_columns, 3, false, false, NULL, ACCESS_WORDS);

static const struct database_column batch_columns[] = {
	{ "cluster", INT }, { "batch", TEXT }, { "node", TEXT }, { "sealed", TEXT }, { "sha256", TEXT },
	{ "line_count", INT }, { "dropped", INT }, { "archived", INT },
};
TABLE(table_batch, "batch", batch_columns, 2, false, false, NULL, ACCESS_OPERATORS);

static const struct database_column damaged_columns[] = {
	{ "cluster", INT }, { "batch", TEXT }, { "line", INT }, { "reason", TEXT }, { "content", BYTES },
};
TABLE(table_damaged, "damaged", damaged_columns, 3, false, true, NULL, ACCESS_OPERATORS);

/* In which month's tables a job is, and by which submit time. */
static const struct database_column place_columns[] = {
	{ "cluster", INT }, { "job_id", INT }, { "attempt", INT }, { "submit", INT }, { "month", INT },
};
TABLE(table_place, "place", place_columns, 4, false, false, NULL, ACCESS_OPERATORS);

/* Who sees what beside the own rows (enum access_scope), as PostgreSQL's policies ask for it. */
static const struct database_column access_columns[] = {
	{ "cluster", INT }, { "person", TEXT }, { "scope", INT }, { "id", INT }, { "learnt", INT },
};
TABLE(table_access, "access", access_columns, 4, false, false, NULL, ACCESS_PERSON);

/* ---- facts ---- */

static const struct database_column job_columns[] = {
	JOB_KEY,
	{ "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT }, { "state_id", INT },
	{ "engine_id", INT }, { "rule_id", INT },
	{ "job_name", TEXT },
	{ "submit_us", INT },
#define JOB_NUMBER_COLUMN(column) { #column, INT },
	JOB_NUMBERS(JOB_NUMBER_COLUMN)
#undef JOB_NUMBER_COLUMN
	{ "how", INT }, { "verdict", INT }, { "findings", INT },
#define JOB_MEASURE_COLUMN(measure, name) { name, INT },
	JOB_MEASURES(JOB_MEASURE_COLUMN)
#undef JOB_MEASURE_COLUMN
	{ "gpus", INT }, { "gpu_given_ms", INT }, { "gpu_opened_ms", INT }, { "gpu_busy_ms", INT }, { "gpu_wasted_ms", INT },
	{ "run_id", INT }, { "signature_id", INT }, { "cost_nano", INT },
};
_Static_assert(COUNT(job_columns) == JOB_COLUMNS, "a job's columns are at other places");
static const struct database_index job_indexes[] = {
	[JOB_INDEX_USER] = { "user", { "user_id", "end_us" } },
	[JOB_INDEX_ACCOUNT] = { "account", { "account_id", "end_us" } },
	[JOB_INDEX_END] = { "end", { "end_us" } },
	{ 0 }
};
TABLE(table_job, "job", job_columns, JOB_KEY_COLUMNS, true, true, job_indexes, ACCESS_JOB);

static const struct database_column job_tool_columns[] = {
	JOB_KEY, { "tool", INT }, { "runs", INT }, { "failures", INT }, { "cpu_ms", INT }, { "wall_ms", INT },
};
_Static_assert(COUNT(job_tool_columns) == TOOL_COLUMNS, "a tool's columns are at other places");
TABLE(table_job_tool, "job_tool", job_tool_columns, JOB_KEY_COLUMNS + 1, true, false, NULL, ACCESS_JOB_PART);

static const struct database_column job_node_columns[] = {
	JOB_KEY, { "node", INT }, { "revision", INT },
	{ "cpu_given_core_ms", INT }, { "cpu_used_core_ms", INT }, { "mem_given_mib_s", INT }, { "mem_used_mib_s", INT },
	{ "line", BYTES },
};
_Static_assert(COUNT(job_node_columns) == NODE_COLUMNS, "a node's columns are at other places");
TABLE(table_job_node, "job_node", job_node_columns, JOB_KEY_COLUMNS + 1, true, true, NULL, ACCESS_JOB_PART);

/* Jobs that Slurm knows and of which there is no record, of the month in which they ended. */
static const struct database_column missing_columns[] = {
	{ "cluster", INT }, { "job_id", INT }, { "submit", INT },
	{ "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT }, { "state_id", INT },
	{ "job_name", TEXT }, { "start_us", INT }, { "end_us", INT }, { "cpus", INT }, { "elapsed_ms", INT },
	{ "reason", INT },
};
_Static_assert(COUNT(missing_columns) == MISSING_COLUMNS, "a missing job's columns are at other places");
TABLE(table_missing, "missing", missing_columns, MISSING_KEY, true, false, NULL, ACCESS_JOB);

/* ---- rollups ---- */

#define GROUP_COLUMN_LIST(time)                                                                                                \
	{ "cluster", INT }, { time, INT }, { "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT }, \
	{ "jobs", INT }, { "complete", INT }, { "short_jobs", INT }, { "oom", INT }, { "nodes_expected", INT },                \
	{ "nodes_present", INT }, { "end_completed", INT }, { "end_failed", INT }, { "end_oom", INT }, { "end_timeout", INT },   \
	{ "end_cancelled", INT }, { "end_node_fail", INT }, { "end_requeued", INT }, { "end_unknown", INT },                   \
	JOB_MEASURES(GROUP_MEASURE_COLUMN) { "rest", BYTES }
#define GROUP_MEASURE_COLUMN(measure, name) { name, INT },

static const struct database_column job_day_columns[] = { GROUP_COLUMN_LIST("day") };
_Static_assert(COUNT(job_day_columns) == GROUP_COLUMNS, "a group's columns are at other places");
TABLE(table_job_day, "job_day", job_day_columns, GROUP_KEYS, false, true, NULL, ACCESS_JOB);
/* All of a cluster's jobs of a day in one row, of the same form: user, account, partition and QOS are 0. */
TABLE(table_all_day, "all_day", job_day_columns, GROUP_KEYS, false, true, NULL, ACCESS_OPERATORS);
static const struct database_column job_month_columns[] = { GROUP_COLUMN_LIST("ended_month") };
TABLE(table_job_month, "job_month", job_month_columns, GROUP_KEYS, false, true, NULL, ACCESS_JOB);

#define TOOL_SUMS { "jobs", INT }, { "runs", INT }, { "failures", INT }, { "cpu_ms", INT }, { "wall_ms", INT }
static const struct database_column tool_day_columns[] = { { "cluster", INT }, { "day", INT }, { "tool", INT }, TOOL_SUMS };
TABLE(table_tool_day, "tool_day", tool_day_columns, 3, false, false, NULL, ACCESS_OPERATORS);
static const struct database_column tool_month_columns[] = {
	{ "cluster", INT }, { "ended_month", INT }, { "user_id", INT }, { "tool", INT }, TOOL_SUMS,
};
TABLE(table_tool_month, "tool_month", tool_month_columns, 4, false, false, NULL, ACCESS_USER);

static const struct database_column node_day_columns[] = {
	{ "cluster", INT }, { "day", INT }, { "node", INT }, { "jobs", INT }, { "elapsed_ms", INT },
	{ "cpu_given_core_ms", INT }, { "cpu_used_core_ms", INT }, { "mem_given_mib_s", INT }, { "mem_used_mib_s", INT },
};
TABLE(table_node_day, "node_day", node_day_columns, 3, false, false, NULL, ACCESS_OPERATORS);

static const struct database_column rule_day_columns[] = {
	{ "cluster", INT }, { "day", INT }, { "engine_id", INT }, { "rule_id", INT }, { "jobs", INT }, { "completed", INT },
	{ "elapsed_ms", INT }, { "cpu_given_core_ms", INT }, { "cpu_used_core_ms", INT }, { "cpu_wasted_core_ms", INT },
};
TABLE(table_rule_day, "rule_day", rule_day_columns, 4, false, false, NULL, ACCESS_OPERATORS);

/* Spread over the days on which the jobs ran. */
static const struct database_column core_day_columns[] = {
	{ "cluster", INT }, { "day", INT }, { "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT },
	{ "jobs", INT }, { "cpu_given_core_ms", INT }, { "cpu_used_core_ms", INT }, { "cpu_wasted_core_ms", INT },
	{ "mem_given_mib_s", INT }, { "mem_wasted_mib_s", INT }, { "node_given_node_ms", INT },
};
TABLE(table_core_day, "core_day", core_day_columns, GROUP_KEYS, false, false, NULL, ACCESS_JOB);

const struct database_table *const site_tables[] = {
	&table_cluster,  &table_name,      &table_batch,    &table_damaged,
	&table_place,    &table_job,       &table_job_tool, &table_job_node,
	&table_job_day,  &table_job_month, &table_tool_day, &table_tool_month,
	&table_node_day, &table_rule_day,  &table_core_day, &table_all_day,
	&table_access,   &table_missing,   NULL,
};
