/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store's tables, and the numbers by which they keep words. docs/store.md describes them. */
#ifndef STINT_SITE_TABLES_H
#define STINT_SITE_TABLES_H

#include "reports/database/database.h"
#include "reports/site/coverage.h"
#include "reports/site/job_group.h"

#define JOB_KEY_COLUMNS 4 /* cluster, job_id, submit, attempt */

/* Words that get a number in each cluster. */
enum name_kind {
	/* those that a job has one of */
	NAME_USER, NAME_ACCOUNT, NAME_PARTITION, NAME_QOS, NAME_STATE, NAME_ENGINE, NAME_RULE, NAME_JOB_KINDS,

	NAME_NODE = NAME_JOB_KINDS, NAME_TOOL, NAME_KINDS
};

/* X(column): the plain numbers of struct job_row that a job's row has, in the table's order. */
#define JOB_NUMBERS(X)                                                                                                       \
	X(array_id) X(array_task) X(het_id) X(het_offset) X(start_us) X(end_us) X(exit_code) X(signal) X(complete) X(running) \
	X(nodes_expected) X(nodes_present) X(requested_cpus) X(requested_nodes) X(requested_tasks)                            \
	X(requested_memory_bytes) X(allocated_cpus) X(allocated_cores) X(allocated_memory_bytes)                              \
	X(memory_used_peak_bytes) X(cpu_efficiency_ppm) X(memory_efficiency_ppm)

/* Where a job's row has what. */
enum {
	JOB_AT_NAMES = JOB_KEY_COLUMNS,
	JOB_AT_NAME = JOB_AT_NAMES + NAME_JOB_KINDS,
	JOB_AT_SUBMIT_US,
	JOB_AT_NUMBERS,
#define JOB_NUMBER_COUNT(column) +1
	JOB_AT_HOW = JOB_AT_NUMBERS JOB_NUMBERS(JOB_NUMBER_COUNT),
#undef JOB_NUMBER_COUNT
	JOB_AT_VERDICT,
	JOB_AT_FINDINGS,
	JOB_AT_MEASURES,
	JOB_AT_LATER = JOB_AT_MEASURES + JOB_MEASURE_COUNT, /* GPUs, run, signature, cost: empty so far */
	JOB_COLUMNS = JOB_AT_LATER + 8
};

/* Places in table_job.indexes. */
enum { JOB_INDEX_USER, JOB_INDEX_ACCOUNT, JOB_INDEX_END };

enum { TOOL_AT_TOOL = JOB_KEY_COLUMNS, TOOL_AT_RUNS, TOOL_AT_FAILURES, TOOL_AT_CPU, TOOL_AT_WALL, TOOL_COLUMNS };
enum {
	NODE_AT_NODE = JOB_KEY_COLUMNS,
	NODE_AT_REVISION,
	NODE_AT_CPU_GIVEN,
	NODE_AT_CPU_USED,
	NODE_AT_MEM_GIVEN,
	NODE_AT_MEM_USED,
	NODE_AT_LINE,
	NODE_COLUMNS
};

/*
 * How far a cluster was compared with Slurm, as settings: seconds since 1970. Behind it stand ':' and the cluster's
 * number.
 */
#define MISSING_FROM "reconciled_from"
#define MISSING_UNTIL "reconciled_until"

#define MISSING_KEY 3 /* cluster, job_id, submit */
enum {
	MISSING_AT_NAMES = MISSING_KEY,
	MISSING_AT_NAME = MISSING_AT_NAMES + NAME_STATE - NAME_USER + 1,
	MISSING_AT_START,
	MISSING_AT_END,
	MISSING_AT_CPUS,
	MISSING_AT_ELAPSED,
	MISSING_AT_REASON,
	MISSING_COLUMNS
};

/* What a row of the table "access" lets a person see. The policies have these numbers (database_sql.c). */
enum access_scope { ACCESS_SCOPE_ALL, ACCESS_SCOPE_ACCOUNT, ACCESS_SCOPE_USER };

/* Rollups of groups: behind the keys stand counts, ends, sums, and the rest as bytes (group_row.c). */
#define GROUP_KEYS_MAX 6
#define GROUP_COUNTS 6
enum {
	GROUP_AT_COUNTS,
	GROUP_AT_ENDS = GROUP_AT_COUNTS + GROUP_COUNTS,
	GROUP_AT_SUMS = GROUP_AT_ENDS + JOB_END_COUNT,
	GROUP_AT_REST = GROUP_AT_SUMS + JOB_MEASURE_COUNT,
	GROUP_COLUMNS
};

/* The same groups by the day and by the month in which jobs ended: the second column of their keys. */
struct group_tables {
	enum job_key by; /* JOB_KEY_USER: user, account, partition and QOS; JOB_KEY_COUNT: all jobs of a cluster */
	const struct database_table *day, *month;
};
#define GROUP_TABLES 9
extern const struct group_tables group_tables[GROUP_TABLES];

/* Returns which kind of word the numbers of @column stand for: an enum name_kind, NAME_KINDS for clusters; -1: they are numbers. */
int site_name_kind(const struct database_column *column);

extern const struct database_table table_cluster, table_name, table_batch, table_damaged, table_place, table_job,
	table_job_tool, table_job_node, table_core_day, table_tool_user_month, table_access, table_missing;

/* All of them; NULL ends them. */
extern const struct database_table *const site_tables[];

/*
 * Numbers that the tables keep for findings, verdicts and ends. They stay the same when the program's own order changes:
 * a new one comes last, and none ever goes or moves. Each returns -1 for what has no number.
 */
int finding_number(enum finding finding);
int verdict_number(enum bound verdict);
int end_number(enum job_end end);
enum finding finding_of_number(int number); /* FINDING_COUNT: not known */
enum bound verdict_of_number(int number);   /* BOUND_UNKNOWN: not known */
enum job_end end_of_number(int number);	    /* JOB_END_UNKNOWN: not known */

/* Turns bits of enum finding into bits of the numbers, and back. */
uint64_t findings_to_numbers(uint64_t findings);
uint64_t findings_of_numbers(uint64_t numbers);

#endif
