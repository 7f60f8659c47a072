/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the store's tables (docs/store.md), and the numbers that they store instead of words. */
#ifndef STINT_SITE_TABLES_H
#define STINT_SITE_TABLES_H

#include "reports/database/database.h"
#include "reports/site/measure_columns.h"
#include "reports/site/coverage.h"
#include "reports/site/job_group.h"

#define JOB_KEY_COLUMNS 4 /* cluster, job_id, attempt, submit */
enum { JOB_AT_CLUSTER, JOB_AT_ID, JOB_AT_ATTEMPT, JOB_AT_SUBMIT };

/* The kinds of words. The words of each kind are numbered separately in each cluster. */
enum name_kind {
	/* a job has one word of each */
	NAME_USER, NAME_ACCOUNT, NAME_PARTITION, NAME_QOS, NAME_STATE, NAME_ENGINE, NAME_RULE, NAME_GPU, NAME_JOB_KINDS,

	NAME_NODE = NAME_JOB_KINDS, NAME_TOOL, NAME_KINDS
};

/*
 * X(column, type, expected): the plain numbers of struct job_row that have a column, in the order of the columns. A
 * number that equals @expected is stored as NULL. @expected may use @fact.
 */
#define JOB_NUMBERS(X)                                                                                                     \
	X(start_us, DATABASE_INT, queued_until(fact)) X(end_us, DATABASE_INT, JOB_UNKNOWN)                                         \
	X(exit_code, DATABASE_INT16, JOB_UNKNOWN) X(signal, DATABASE_INT16, JOB_UNKNOWN)                                    \
	X(complete, DATABASE_INT16, JOB_UNKNOWN) X(running, DATABASE_INT16, JOB_UNKNOWN)                                    \
	X(nodes_expected, DATABASE_INT32, JOB_UNKNOWN) X(nodes_present, DATABASE_INT32, JOB_UNKNOWN)                        \
	X(requested_cpus, DATABASE_INT32, JOB_UNKNOWN) X(requested_memory_bytes, DATABASE_INT, JOB_UNKNOWN)                 \
	X(allocated_cpus, DATABASE_INT32, JOB_UNKNOWN) X(memory_used_peak_bytes, DATABASE_INT, JOB_UNKNOWN)                 \
	X(array_id, DATABASE_INT, fact->job_id) X(array_task, DATABASE_INT32, JOB_UNKNOWN)                                    \
	X(het_id, DATABASE_INT, JOB_UNKNOWN) X(het_offset, DATABASE_INT32, JOB_UNKNOWN)                                       \
	X(requested_nodes, DATABASE_INT32, fact->row.nodes_expected)                                                        \
	X(requested_tasks, DATABASE_INT32, fact->row.requested_cpus)                                                        \
	X(allocated_cores, DATABASE_INT32, fact->row.allocated_cpus)                                                        \
	X(allocated_memory_bytes, DATABASE_INT, fact->row.requested_memory_bytes)                                             \
	X(allocated_gpus, DATABASE_INT32, JOB_UNKNOWN)

enum {
#define JOB_NUMBER_PLACE(column, type, expected) JOB_NUMBER_##column,
	JOB_NUMBERS(JOB_NUMBER_PLACE)
#undef JOB_NUMBER_PLACE
	JOB_NUMBER_COUNT
};

/* Positions of the columns in a job's row. */
enum {
	JOB_AT_NAMES = JOB_KEY_COLUMNS,
	JOB_AT_NAME = JOB_AT_NAMES + NAME_JOB_KINDS,
	JOB_AT_NUMBERS,
	JOB_AT_HOW = JOB_AT_NUMBERS + JOB_NUMBER_COUNT,
	JOB_AT_VERDICT,
	JOB_AT_FINDINGS,
	JOB_AT_DAY, /* the day on which the job ended in the database's time zone, such as 20261122 */
	JOB_AT_BINS, /* indices of bins (bins.h), in the order of enum job_bins */
	JOB_AT_MEASURES = JOB_AT_BINS + JOB_BINS_COUNT, /* measure_columns.h */
	/* lists of numbers: job_parts.h */
	JOB_AT_TOOLS = JOB_AT_MEASURES + MEASURE_COLUMNS,
	JOB_AT_NODES,
	JOB_COLUMNS
};

/* Returns the column of a measure; JOB_COLUMNS if it has none. */
static inline size_t job_measure_column(enum job_measure measure)
{
	return measure_place(measure) < 0 ? JOB_COLUMNS : JOB_AT_MEASURES + (size_t)measure_place(measure);
}

/*
 * Columns of the table "line" (line_rows.h). The table is separate from the table of jobs, so that questions about many
 * jobs do not read lines. Jobs whose ids differ only in the lowest bits can share a row. The first LINE_FOUND_BY
 * columns find all rows of such jobs.
 */
#define LINE_JOBS(job_id) ((job_id) >> 7)
#define LINE_FOUND_BY 2
enum {
	LINE_AT_CLUSTER, LINE_AT_JOBS, LINE_AT_ID, LINE_AT_ATTEMPT, LINE_AT_SUBMIT, LINE_KEY_COLUMNS,
	LINE_AT_USER = LINE_KEY_COLUMNS, LINE_AT_ACCOUNT, LINE_AT_LINES, LINE_COLUMNS
};

/* Places in table_job.indexes. */
enum { JOB_INDEX_USER, JOB_INDEX_ACCOUNT, JOB_INDEX_END };

/*
 * The table "place" has a row for each block of 1,024 job ids and each month that has a job of this block. The number
 * of a block is an id without its lowest 10 bits.
 */
#define PLACE_JOBS(job_id) ((job_id) >> 10)
enum { PLACE_AT_CLUSTER, PLACE_AT_JOBS, PLACE_AT_MONTH, PLACE_COLUMNS };

/*
 * Settings with the time for which a cluster was compared with Slurm, in seconds since 1970. The name of a setting
 * continues with ':' and the cluster's number.
 */
#define MISSING_FROM "reconciled_from"
#define MISSING_UNTIL "reconciled_until"
#define MISSING_UNTOLD "reconcile_untold" /* times between FROM and UNTIL for which Slurm did not answer, as text of untold_write() */

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

/* What a row of "access" lets a person see. database_sql.c has the same numbers in its policies. */
enum access_scope { ACCESS_SCOPE_ALL, ACCESS_SCOPE_ACCOUNT, ACCESS_SCOPE_USER };

/* Columns of rollups: the key, counts, ends and sums. The last column packs everything else (group_row.c). */
#define GROUP_KEYS_MAX 6
#define GROUP_COUNTS 6
enum {
	GROUP_AT_COUNTS,
	GROUP_AT_ENDS = GROUP_AT_COUNTS + GROUP_COUNTS,
	GROUP_AT_SUMS = GROUP_AT_ENDS + JOB_END_COUNT,
	GROUP_AT_REST = GROUP_AT_SUMS + JOB_MEASURE_COUNT,
	GROUP_COLUMNS
};

/*
 * Two tables of the same groups: one by the day when jobs ended, one by the month. The day or month is the second
 * column of the key.
 */
struct group_tables {
	/* JOB_KEY_USER: by user, account, partition and QOS together; JOB_KEY_COUNT: all jobs of a cluster */
	enum job_key by;
	const struct database_table *day, *month;
};
#define GROUP_TABLES 9
extern const struct group_tables group_tables[GROUP_TABLES];

/*
 * Returns the kind of words that the numbers of @column stand for: an enum name_kind, or NAME_KINDS for clusters.
 * Returns -1 if the numbers stand for no words.
 */
int site_name_kind(const struct database_column *column);

extern const struct database_table table_cluster, table_name, table_batch, table_damaged, table_place, table_job, table_line,
	table_core_day, table_tool_user_month, table_access, table_missing;

/* Describes view number @which of the table of jobs. It is the member "view" of struct database_table. */
bool site_job_view(size_t which, struct database_view *view);

/* All tables, ended by NULL. */
extern const struct database_table *const site_tables[];

/*
 * Return the stored number of a finding, verdict or end; -1 if it has no number. The number does not depend on the
 * order of the enum. Only add new numbers at the end.
 */
int finding_number(enum finding finding);
int verdict_number(enum bound verdict);
int end_number(enum job_end end);
enum finding finding_of_number(int number); /* FINDING_COUNT: not known */
enum bound verdict_of_number(int number);   /* BOUND_UNKNOWN: not known */
enum job_end end_of_number(int number);	    /* JOB_END_UNKNOWN: not known */

/* Convert bits of enum finding to bits of the stored numbers, and back. */
uint64_t findings_to_numbers(uint64_t findings);
uint64_t findings_of_numbers(uint64_t numbers);

#endif
