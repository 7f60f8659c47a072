/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_tables.h"

#include <string.h>

#define INT DATABASE_INT
#define INT32 DATABASE_INT32
#define INT16 DATABASE_INT16
#define TEXT DATABASE_TEXT
#define BYTES DATABASE_BYTES
#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))
#define TABLE(variable, name, columns, key, monthly, wide, indexes, access) \
	const struct database_table variable = { name, columns, COUNT(columns), key, monthly, wide, indexes, access, NULL }

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

/* The months that may have jobs whose ids are in the block (PLACE_JOBS). */
static const struct database_column place_columns[] = { { "cluster", INT16 }, { "jobs", INT }, { "month", INT32 } };
TABLE(table_place, "place", place_columns, 3, false, false, NULL, ACCESS_OPERATORS);

/* Whose rows a person may see (enum access_scope). PostgreSQL's policies read this table. */
static const struct database_column access_columns[] = {
	{ "cluster", INT }, { "person", TEXT }, { "scope", INT }, { "id", INT }, { "learnt", INT },
};
TABLE(table_access, "access", access_columns, 4, false, false, NULL, ACCESS_PERSON);

/* ---- facts ---- */

static const struct database_column job_columns[] = {
	{ "cluster", INT16 }, { "job_id", INT }, { "attempt", INT32 }, { "submit", INT },
	{ "user_id", INT32 }, { "account_id", INT32 }, { "partition_id", INT16 }, { "qos_id", INT16 }, { "state_id", INT16 },
	{ "engine_id", INT32 }, { "rule_id", INT32 }, { "gpu_id", INT16 },
	{ "job_name", TEXT },
#define JOB_NUMBER_COLUMN(column, type, expected) { #column, type },
	JOB_NUMBERS(JOB_NUMBER_COLUMN)
#undef JOB_NUMBER_COLUMN
	{ "how", INT16 }, { "verdict", INT16 }, { "findings", INT }, { "end_day", INT32 },
	{ "cpu_bin", INT16 }, { "memory_bin", INT16 }, { "elapsed_bin", INT16 }, { "queued_bin", INT16 },
#define COLUMN_INT(name) { name, INT },
#define COLUMN_INT32(name) { name, INT32 },
#define COLUMN_NONE(name)
#define JOB_MEASURE_COLUMN(measure, name, column) COLUMN_##column(name)
	JOB_MEASURES(JOB_MEASURE_COLUMN)
#undef JOB_MEASURE_COLUMN
	{ "tools", TEXT }, { "nodes", TEXT },
};
_Static_assert(COUNT(job_columns) == JOB_COLUMNS, "a job's columns are at other places");
static const struct database_index job_indexes[] = {
	[JOB_INDEX_USER] = { "user", { "user_id", "end_us" } },
	[JOB_INDEX_ACCOUNT] = { "account", { "account_id", "end_us" } },
	[JOB_INDEX_END] = { "end", { "end_us" } },
	{ 0 }
};
const struct database_table table_job = { "job", job_columns, COUNT(job_columns), JOB_KEY_COLUMNS, true,
					  true,	 job_indexes, ACCESS_JOB,	      site_job_view };

/* A reader who can see a job can see its lines. */
static const struct database_column line_columns[] = {
	{ "cluster", INT16 }, { "jobs", INT }, { "job_id", INT }, { "attempt", INT32 }, { "submit", INT },
	{ "user_id", INT32 }, { "account_id", INT32 },
	{ "lines", BYTES },
};
_Static_assert(COUNT(line_columns) == LINE_COLUMNS, "a line's columns are at other places");
TABLE(table_line, "line", line_columns, LINE_KEY_COLUMNS, true, true, NULL, ACCESS_JOB);

/* Jobs that Slurm knows and that left no record, in the month of their end. */
static const struct database_column missing_columns[] = {
	{ "cluster", INT }, { "job_id", INT }, { "submit", INT },
	{ "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT }, { "state_id", INT },
	{ "job_name", TEXT }, { "start_us", INT }, { "end_us", INT }, { "cpus", INT }, { "elapsed_ms", INT },
	{ "reason", INT },
};
_Static_assert(COUNT(missing_columns) == MISSING_COLUMNS, "a missing job's columns are at other places");
TABLE(table_missing, "missing", missing_columns, MISSING_KEY, true, false, NULL, ACCESS_JOB);

/* ---- rollups ---- */

#define GROUP_MEASURE_COLUMN(measure, name, column) { name, INT },
#define GROUP_COLUMN_LIST                                                                                                      \
	{ "jobs", INT }, { "complete", INT }, { "short_jobs", INT }, { "oom", INT }, { "nodes_expected", INT },                \
	{ "nodes_present", INT }, { "end_completed", INT }, { "end_failed", INT }, { "end_oom", INT }, { "end_timeout", INT },   \
	{ "end_cancelled", INT }, { "end_node_fail", INT }, { "end_requeued", INT }, { "end_unknown", INT },                   \
	JOB_MEASURES(GROUP_MEASURE_COLUMN) { "rest", BYTES }

/* @keys: how many columns of the key follow the cluster and the time */
#define TABLE_OF_GROUPS(name, time, keys, access, ...)                                                                         \
	static const struct database_column name##_columns[] = { { "cluster", INT }, { time, INT }, __VA_ARGS__ GROUP_COLUMN_LIST }; \
	_Static_assert(COUNT(name##_columns) == 2 + (keys) + GROUP_COLUMNS, "a group's columns are at other places");          \
	static TABLE(table_##name, #name, name##_columns, 2 + (keys), false, true, NULL, access)
#define TABLES_OF_GROUPS(what, keys, access, ...)                           \
	TABLE_OF_GROUPS(what##_day, "day", keys, access, __VA_ARGS__); \
	TABLE_OF_GROUPS(what##_month, "ended_month", keys, access, __VA_ARGS__)

TABLES_OF_GROUPS(job, 4, ACCESS_JOB, { "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT }, );
TABLES_OF_GROUPS(all, 0, ACCESS_OPERATORS, );
TABLES_OF_GROUPS(verdict, 1, ACCESS_OPERATORS, { "verdict", INT }, );
TABLES_OF_GROUPS(finding, 1, ACCESS_OPERATORS, { "finding", INT }, );
TABLES_OF_GROUPS(state, 1, ACCESS_OPERATORS, { "state_id", INT }, );
TABLES_OF_GROUPS(size, 1, ACCESS_OPERATORS, { "cpus_least", INT }, );
TABLES_OF_GROUPS(rule, 2, ACCESS_OPERATORS, { "rule_id", INT }, { "engine_id", INT }, );
TABLES_OF_GROUPS(node, 1, ACCESS_OPERATORS, { "node", INT }, );
TABLES_OF_GROUPS(tool, 1, ACCESS_OPERATORS, { "tool", INT }, );

#define GROUPS_BY(key, what) { key, &table_##what##_day, &table_##what##_month }
const struct group_tables group_tables[GROUP_TABLES] = {
	GROUPS_BY(JOB_KEY_USER, job),	   GROUPS_BY(JOB_KEY_COUNT, all),  GROUPS_BY(JOB_KEY_VERDICT, verdict),
	GROUPS_BY(JOB_KEY_FINDING, finding), GROUPS_BY(JOB_KEY_STATE, state), GROUPS_BY(JOB_KEY_SIZE, size),
	GROUPS_BY(JOB_KEY_RULE, rule),	   GROUPS_BY(JOB_KEY_NODE, node),  GROUPS_BY(JOB_KEY_TOOL, tool),
};

/* What a tool used, by user and month. */
static const struct database_column tool_user_month_columns[] = {
	{ "cluster", INT }, { "ended_month", INT }, { "user_id", INT }, { "tool", INT },
	{ "jobs", INT }, { "runs", INT }, { "failures", INT }, { "cpu_ms", INT }, { "wall_ms", INT },
};
TABLE(table_tool_user_month, "tool_user_month", tool_user_month_columns, 4, false, false, NULL, ACCESS_USER);

/* What jobs used, divided among the days on which they ran. */
static const struct database_column core_day_columns[] = {
	{ "cluster", INT }, { "day", INT }, { "user_id", INT }, { "account_id", INT }, { "partition_id", INT }, { "qos_id", INT },
	{ "jobs", INT }, { "cpu_given_core_ms", INT }, { "cpu_used_core_ms", INT }, { "cpu_wasted_core_ms", INT },
	{ "mem_given_mib_s", INT }, { "mem_wasted_mib_s", INT }, { "node_given_node_ms", INT },
};
TABLE(table_core_day, "core_day", core_day_columns, 6, false, false, NULL, ACCESS_JOB);

#define BOTH(what) &table_##what##_day, &table_##what##_month
const struct database_table *const site_tables[] = {
	&table_cluster, &table_name,     &table_batch,  &table_damaged, &table_place,    &table_job,     &table_line,
	BOTH(job),      BOTH(all),      BOTH(verdict),   BOTH(finding),
	BOTH(state),    BOTH(size),      BOTH(rule),    BOTH(node),     BOTH(tool),      &table_tool_user_month,
	&table_core_day, &table_access,   &table_missing, NULL,
};

int site_name_kind(const struct database_column *column)
{
	static const struct {
		const char *name;
		int kind;
	} columns[] = {
		{ "user_id", NAME_USER }, { "account_id", NAME_ACCOUNT }, { "partition_id", NAME_PARTITION },
		{ "qos_id", NAME_QOS }, { "state_id", NAME_STATE }, { "engine_id", NAME_ENGINE }, { "rule_id", NAME_RULE },
		{ "gpu_id", NAME_GPU },
		{ "node", NAME_NODE }, { "tool", NAME_TOOL }, { "cluster", NAME_KINDS },
	};

	for (size_t i = 0; database_is_int(column->type) && i < COUNT(columns); i++)
		if (strcmp(columns[i].name, column->name) == 0)
			return columns[i].kind;
	return -1;
}
