/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the views "jobs", "tools", "nodes" and "findings" for other programs. docs/store.md describes their
 * columns.
 */
#include <string.h>

#include "reports/facts/job_parts.h"
#include "reports/facts/site_tables.h"
#include "reports/rules/rules.h"
#include "reports/site/job_groups.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void add(struct database_view *view, struct database_view_column column)
{
	if (view->column_count < DATABASE_VIEW_COLUMNS)
		view->columns[view->column_count++] = column;
}

/* ---- words ---- */

static const char *end_word(int number)
{
	enum job_end end = end_of_number(number);

	return end_number(end) == number ? job_end_names[end] : NULL;
}

static const char *verdict_word(int number)
{
	enum bound verdict = verdict_of_number(number);

	return verdict_number(verdict) == number ? bound_word(verdict) : NULL;
}

static const char *finding_word(int number)
{
	enum finding finding = finding_of_number(number);

	return finding == FINDING_COUNT ? NULL : finding_rules[finding].code;
}

/* ---- columns ---- */

/* Adds the columns of each view: the job's key, and what queries often group by. */
static void add_job(struct database_view *view)
{
	static const struct database_view_column columns[] = {
		{ .name = "cluster_name", .show = SHOW_CLUSTER },
		{ .name = "job_id", .column = "job_id" },
		{ .name = "attempt", .column = "attempt" },
		{ .name = "submit_key", .column = "submit" },
		{ .name = "submit_unix_s", .show = SHOW_POSITIVE, .column = "submit" },
		{ .name = "submit_month", .show = SHOW_MONTH },
		{ .name = "end_unix_us", .column = "end_us" },
		{ .name = "end_day", .column = "end_day" },
		{ .name = "user_name", .show = SHOW_WORD, .column = "user_id", .kind = NAME_USER },
		{ .name = "account_name", .show = SHOW_WORD, .column = "account_id", .kind = NAME_ACCOUNT },
		{ .name = "partition_name", .show = SHOW_WORD, .column = "partition_id", .kind = NAME_PARTITION },
		{ .name = "qos_name", .show = SHOW_WORD, .column = "qos_id", .kind = NAME_QOS },
		{ .name = "state", .show = SHOW_WORD, .column = "state_id", .kind = NAME_STATE },
	};

	for (size_t i = 0; i < COUNT(columns); i++)
		add(view, columns[i]);
}

/* A few columns have another name in the view. */
static const char *name_of(const char *column)
{
	static const char *const names[][2] = {
		{ "array_id", "array_job_id" }, { "array_task", "array_task_id" },
		{ "het_id", "het_job_id" },	{ "het_offset", "het_job_offset" },
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(names[i][0], column) == 0)
			return names[i][1];
	return column;
}

/*
 * Adds a column for a number of JOB_NUMBERS.
 *
 * @expected: as in JOB_NUMBERS, such as "fact->row.nodes_expected"; its last word names the column that has the
 * expected number
 */
static void add_number(struct database_view *view, const char *column, const char *expected)
{
	const char *arrow = strrchr(expected, '>'), *dot = strrchr(expected, '.');
	const char *other = dot ? dot + 1 : arrow ? arrow + 1 : NULL;

	add(view, (struct database_view_column){ .name = name_of(column), .show = other ? SHOW_OR_OTHER : SHOW_COLUMN,
						 .column = column, .other = other });
}

/* The efficiencies have no columns: they follow from measures. */
static void add_efficiencies(struct database_view *view)
{
	add(view, (struct database_view_column){ .name = "cpu_efficiency_ppm", .show = SHOW_SHARE,
						 .column = job_measure_names[JOB_CPU_USED], .other = job_measure_names[JOB_CPU_GIVEN] });
	add(view, (struct database_view_column){ .name = "memory_efficiency_ppm", .show = SHOW_SHARE,
						 .column = job_measure_names[JOB_MEM_USED], .other = job_measure_names[JOB_MEM_GIVEN] });
}

static void add_start(struct database_view *view)
{
	add(view, (struct database_view_column){ .name = "start_unix_us", .show = SHOW_OR_AFTER, .column = "start_us",
						 .other = "submit", .after = job_measure_names[JOB_QUEUED] });
}

static void add_numbers(struct database_view *view)
{
#define JOB_NUMBER_ADD(column, type, expected)               \
	if (JOB_NUMBER_##column == JOB_NUMBER_array_id)      \
		add_efficiencies(view);                      \
	if (JOB_NUMBER_##column == JOB_NUMBER_start_us)      \
		add_start(view);                             \
	else if (JOB_NUMBER_##column != JOB_NUMBER_end_us) \
		add_number(view, #column, #expected);
	JOB_NUMBERS(JOB_NUMBER_ADD)
#undef JOB_NUMBER_ADD
}

/* Lists the columns of a set of measures. */
static void put_columns(const char **list, uint64_t set)
{
	while (set)
		*list++ = job_measure_names[measure_take(&set)];
	*list = NULL;
}

static void add_measures(struct database_view *view)
{
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++) {
		const struct measure_source *source = &measure_sources[i];
		struct database_view_column column = { .name = job_measure_names[i] };

		if (source->known)
			column.show = SHOW_SUM;
		else
			column.column = job_measure_names[i];
		put_columns(column.plus, source->plus);
		put_columns(column.minus, source->minus);
		put_columns(column.known, source->known);
		add(view, column);
	}
}

/* ---- views ---- */

static void describe_jobs(struct database_view *view)
{
	static const struct database_view_column columns[] = {
		{ .name = "ended_as", .show = SHOW_CHOICE, .column = "how", .word = end_word },
		{ .name = "verdict", .show = SHOW_CHOICE, .column = "verdict", .word = verdict_word },
		{ .name = "job_name", .column = "job_name" },
		{ .name = "workflow_engine", .show = SHOW_WORD, .column = "engine_id", .kind = NAME_ENGINE },
		{ .name = "workflow_rule", .show = SHOW_WORD, .column = "rule_id", .kind = NAME_RULE },
	};

	for (size_t i = 0; i < COUNT(columns); i++)
		add(view, columns[i]);
	add_numbers(view);
	add_measures(view);
	add(view, (struct database_view_column){ .name = "gpu_model_name", .show = SHOW_WORD, .column = "gpu_id", .kind = NAME_GPU });
}

static void describe_tools(struct database_view *view)
{
	static const char *const numbers[JOB_TOOL_NUMBERS] = { NULL, "runs", "failures", "cpu_ms", "wall_ms" };

	view->items = "tools";
	add(view, (struct database_view_column){ .name = "tool_name", .show = SHOW_ITEM_WORD, .kind = NAME_TOOL,
						 .otherwise = JOB_OTHER_TOOLS });
	for (size_t i = 1; i < JOB_TOOL_NUMBERS; i++)
		add(view, (struct database_view_column){ .name = numbers[i], .show = SHOW_ITEM, .number = i });
}

static void describe_nodes(struct database_view *view)
{
	view->items = "nodes";
	add(view, (struct database_view_column){ .name = "node_name", .show = SHOW_ITEM_WORD, .kind = NAME_NODE });
	for (size_t i = 1; i < JOB_NODE_NUMBERS; i++) {
		const char *name = job_measure_names[job_parts_node_measures[i - 1]];

		add(view, (struct database_view_column){ .name = name, .show = SHOW_ITEM, .other = name, .number = i });
	}
}

static void describe_findings(struct database_view *view)
{
	view->items = "findings";
	view->bit_word = finding_word;
	add(view, (struct database_view_column){ .name = "finding", .show = SHOW_BIT });
}

bool site_job_view(size_t which, struct database_view *view)
{
	static const struct {
		const char *name;
		void (*describe)(struct database_view *view);
	} views[] = {
		{ "jobs", describe_jobs }, { "tools", describe_tools }, { "nodes", describe_nodes }, { "findings", describe_findings },
	};

	if (which >= COUNT(views))
		return false;
	*view = (struct database_view){ .name = views[which].name };
	add_job(view);
	views[which].describe(view);
	return true;
}
