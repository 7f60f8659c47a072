/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the summary on a terminal. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/site/jobs_summary.h"

#define CELL_TEXT 64
#define KEY_MIN 8
#define BAR_CELLS 20
#define BAR_LEAST 5
#define LABEL_COLUMNS 24
#define FINDINGS_SHOWN 10 /* on a screen */
#define UNKNOWN "-"

/* ---- numbers ---- */

static const char *share_text(double share, char text[CELL_TEXT])
{
	if (isnan(share))
		return UNKNOWN;
	snprintf(text, CELL_TEXT, "%.0f%%", 100 * share);
	return text;
}

static const char *figure_text(const struct job_group *group, enum job_figure figure, char text[CELL_TEXT])
{
	double value = job_figure(group, figure);

	if (figure == FIGURE_COVERAGE || strstr(job_figure_names[figure], "efficiency"))
		return share_text(value, text);
	if (strstr(job_figure_names[figure], "_hours"))
		return job_hours_text(value, text);
	if (isnan(value))
		return UNKNOWN;
	return job_count_text(value, text);
}

/* Writes by how many percent the waste changed, or UNKNOWN. Returns @text. */
static const char *change_text(const struct jobs_summary *summary, const struct job_group *group, char text[CELL_TEXT])
{
	const struct job_group *before =
		group == &summary->total ? &summary->total_before : job_groups_find(&summary->before, group);
	double was = before ? job_figure(before, FIGURE_CORE_H_WASTED) : NAN;
	double change = 100 * (job_figure(group, FIGURE_CORE_H_WASTED) / was - 1);

	if (!(was > 0) || isnan(change))
		return UNKNOWN;
	snprintf(text, CELL_TEXT, change > 999 ? "> +999%%" : "%+.0f%%", change);
	return text;
}

/* ---- the table of groups ---- */

/* Writes a name in upper case, as a heading. */
static void upper_text(const char *name, char text[CELL_TEXT])
{
	size_t i = 0;

	for (; name[i] && i + 1 < CELL_TEXT; i++)
		text[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i] == '_' ? '-' : name[i];
	text[i] = '\0';
}

struct column {
	const char *head;
	/* JOB_FIGURE_COUNT: the change from the previous period; only if groups are not by time */
	enum job_figure figure;
};

static const struct column job_columns[] = {
	{ "JOBS", FIGURE_JOBS },
	{ "CORE-H", FIGURE_CORE_H_GIVEN },
	{ "USED", FIGURE_CPU_EFF },
	{ "WASTED", FIGURE_CORE_H_WASTED },
	{ "GIB-H WASTED", FIGURE_GIB_H_WASTED },
	{ "MEM", FIGURE_MEM_EFF },
	{ "GPU-H", FIGURE_GPU_H_GIVEN },
	{ "BUSY", FIGURE_GPU_EFF },
	{ "GPU-H WASTED", FIGURE_GPU_H_WASTED },
	{ "FAILED", FIGURE_FAILED },
	{ "OOM", FIGURE_OOM },
	{ "TIMEOUT", FIGURE_TIMEOUT },
	{ "CHANGE", JOB_FIGURE_COUNT },
	{ "MEDIAN", FIGURE_CPU_EFF_MEDIAN },
	{ "SHORT", FIGURE_SHORT },
	{ "NODE-H IDLE", FIGURE_NODE_H_WASTED },
	{ "COVERAGE", FIGURE_COVERAGE },
};

static const struct column tool_columns[] = {
	{ "JOBS", FIGURE_JOBS },
	{ "RUNS", FIGURE_TOOL_RUNS },
	{ "FAILED", FIGURE_TOOL_FAILURES },
	{ "CORE-H USED", FIGURE_TOOL_CPU_H },
};

#define JOB_COLUMNS (sizeof(job_columns) / sizeof(job_columns[0]))
#define TOOL_COLUMNS (sizeof(tool_columns) / sizeof(tool_columns[0]))
#define COLUMNS_MAX (JOB_COLUMNS + 1) /* one more to sort by */

struct table {
	const struct jobs_summary *summary;
	const struct page_options *options;
	struct column columns[COLUMNS_MAX];
	size_t column_count;
	size_t width[COLUMNS_MAX];
	size_t key_count, key_width[JOB_KEYS_MAX], key_least;
	char sort_head[CELL_TEXT];
	char others[CELL_TEXT]; /* for groups that are not shown, as "12 more"; empty if all groups are shown */
	FILE *out;
};

static const char *cell_text(const struct table *table, const struct job_group *group, size_t column,
			     char text[CELL_TEXT])
{
	enum job_figure figure = table->columns[column].figure;

	return figure == JOB_FIGURE_COUNT ? change_text(table->summary, group, text) : figure_text(group, figure, text);
}

static bool is_by(const struct jobs_summary *summary, enum job_key key)
{
	return job_groups_are_by(&summary->groups, key);
}

static void widen(size_t *width, size_t needed)
{
	if (needed > *width)
		*width = needed;
}

static void add_column(struct table *table, const struct column *column)
{
	table->width[table->column_count] = strlen(column->head);
	table->columns[table->column_count++] = *column;
}

static bool is_of_gpus(enum job_figure figure)
{
	return figure >= FIGURE_GPU_H_GIVEN && figure <= FIGURE_GPU_EFF;
}

/* Chooses first the number of jobs, then the column to sort by, so that a narrow page shows these two columns. */
static void choose_columns(struct table *table)
{
	const struct job_groups *groups = &table->summary->groups;
	bool tools = is_by(table->summary, JOB_KEY_TOOL);
	bool with_gpus = job_figure(&table->summary->total, FIGURE_GPU_H_GIVEN) > 0;
	const struct column *all = tools ? tool_columns : job_columns, *sorted = NULL;
	size_t count = tools ? TOOL_COLUMNS : JOB_COLUMNS;
	enum job_figure sort = table->summary->sort;
	struct column other = { .figure = sort };

	for (size_t c = 0; c < count && sort != JOB_FIGURE_COUNT; c++)
		if (all[c].figure == sort)
			sorted = &all[c];
	if (!sorted && sort != JOB_FIGURE_COUNT) {
		upper_text(job_figure_names[sort], table->sort_head);
		other.head = table->sort_head;
		sorted = &other;
	}
	add_column(table, &all[0]);
	if (sorted && sorted != &all[0])
		add_column(table, sorted);
	for (size_t c = 1; c < count; c++)
		if (&all[c] != sorted && !(all[c].figure == JOB_FIGURE_COUNT && job_groups_by_time(groups)) &&
		    (with_gpus || !is_of_gpus(all[c].figure)))
			add_column(table, &all[c]);
}

/* @more: how many groups are not shown */
static void begin_table(struct table *table, size_t more)
{
	const struct jobs_summary *summary = table->summary;
	char number[HOURS_TEXT];

	if (more)
		snprintf(table->others, sizeof(table->others), "%s %s", job_count_text((double)more, number),
			 jobs_summary_shows_latest(summary) ? "earlier" : "more");
	choose_columns(table);
	table->key_least = KEY_MIN;
	widen(&table->key_least, strlen(table->others));
	while (table->key_count < JOB_KEYS_MAX && summary->groups.by[table->key_count] != JOB_KEY_COUNT) {
		table->key_width[table->key_count] = table->key_least;
		widen(&table->key_width[table->key_count], strlen(job_key_names[summary->groups.by[table->key_count]]));
		table->key_count++;
	}
}

static void measure_group(struct table *table, const struct job_group *group)
{
	char text[CELL_TEXT];

	for (size_t c = 0; c < table->column_count; c++)
		widen(&table->width[c], strlen(cell_text(table, group, c, text)));
	for (size_t k = 0; k < table->key_count; k++) {
		const char *words = job_key_words(table->summary->groups.by[k], group->keys[k]);
		cleanup_free char *key = terminal_escape(table->options, words);

		widen(&table->key_width[k], key ? escape_width(key) : 1);
	}
}

/*
 * Makes the table narrower until a line fits. First cuts names to a third of the line. Then leaves out columns until
 * four are left. Then cuts names further, and at last leaves out more columns.
 */
static void fit(struct table *table)
{
	size_t room = table->options->width, keys, numbers;

	for (;;) {
		keys = numbers = 0;
		for (size_t k = 0; k < table->key_count; k++)
			keys += table->key_width[k] + (k ? 2 : 0);
		for (size_t c = 0; c < table->column_count; c++)
			numbers += 2 + table->width[c];
		if (keys + numbers <= room)
			return;
		if (keys <= room / 3 && table->column_count > 4) {
			table->column_count--;
			continue;
		}
		size_t widest = 0;

		for (size_t k = 1; k < table->key_count; k++)
			widest = table->key_width[k] > table->key_width[widest] ? k : widest;
		if (table->key_width[widest] > table->key_least)
			table->key_width[widest]--;
		else if (table->column_count > 1)
			table->column_count--;
		else
			return;
	}
}

static void print_key(const struct table *table, const char *text, size_t k)
{
	cleanup_free char *key = terminal_escape(table->options, text ? text : UNKNOWN);
	size_t width;

	if (!key)
		return;
	escape_cut(key, table->key_width[k]);
	width = escape_width(key);
	fprintf(table->out, "%s%s%*s", k ? "  " : "", key, (int)(table->key_width[k] - width), "");
}

static void print_line(const struct table *table, const struct job_group *group)
{
	char text[CELL_TEXT];

	for (size_t c = 0; c < table->column_count; c++)
		fprintf(table->out, "  %*s", (int)table->width[c],
			group ? cell_text(table, group, c, text) : table->columns[c].head);
}

static void end_line(const struct table *table, bool styled)
{
	if (styled)
		fputs(terminal_off(table->options), table->out);
	fputc('\n', table->out);
}

/* Prints the sum of several groups, with @word instead of their names. */
static void print_joint(const struct table *table, const struct job_group *group, const char *word)
{
	fputs(terminal_on(table->options, STYLE_HEAD), table->out);
	for (size_t k = 0; k < table->key_count; k++)
		print_key(table, k ? "" : word, k);
	print_line(table, group);
	end_line(table, true);
}

static void print_heads(const struct table *table)
{
	char head[CELL_TEXT];

	fputs(terminal_on(table->options, STYLE_HEAD), table->out);
	for (size_t k = 0; k < table->key_count; k++) {
		upper_text(job_key_names[table->summary->groups.by[k]], head);
		print_key(table, head, k);
	}
	print_line(table, NULL);
	end_line(table, true);
}

static void print_groups(struct jobs_summary *summary, const struct page_options *options, FILE *out)
{
	struct table table = { .summary = summary, .options = options, .out = out };
	struct job_group rest = { 0 };
	size_t shown = jobs_summary_sort(summary, &rest);
	bool earlier = jobs_summary_shows_latest(summary);
	cleanup_free char *left_out = NULL;

	begin_table(&table, summary->groups.count - shown);
	measure_group(&table, &summary->total);
	for (size_t i = 0; i < shown; i++)
		measure_group(&table, summary->groups.list[i]);
	fit(&table);
	fputc('\n', out);
	print_heads(&table);
	if (table.others[0] && earlier)
		print_joint(&table, &rest, table.others);
	for (size_t i = 0; i < shown; i++) {
		for (size_t k = 0; k < table.key_count; k++)
			print_key(&table, job_key_words(summary->groups.by[k], summary->groups.list[i]->keys[k]), k);
		print_line(&table, summary->groups.list[i]);
		end_line(&table, false);
	}
	if (table.others[0] && !earlier)
		print_joint(&table, &rest, table.others);
	print_joint(&table, &summary->total, "all");
	job_group_free(&rest);
	left_out = jobs_summary_left_out(summary);
	if (left_out)
		fprintf(out, "\n%s\n", left_out);
}

/* ---- totals over all jobs ---- */

/*
 * Wraps @text between words. Escape words of users first.
 *
 * @column: how many columns of the line were printed already
 */
static void print_wrapped(const struct page_options *options, const char *text, size_t column, FILE *out)
{
	size_t indent = column, width = options->width;

	for (const char *word = text; *word;) {
		size_t length = strcspn(word, " ");

		if (column > indent && column + 1 + length > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		column += (size_t)fprintf(out, "%s%.*s", column > indent ? " " : "", (int)length, word);
		word += length;
		word += strspn(word, " ");
	}
	fputc('\n', out);
}

static void print_head(const struct page_options *options, const char *text, FILE *out)
{
	fputc('\n', out);
	terminal_styled(options, STYLE_HEAD, text, out);
	fputc('\n', out);
}

/* Returns how many cells a bar has beside @others columns of text; 0 if there is no room. */
static int bar_cells(const struct page_options *options, int others)
{
	int room = options->width - others - 1;

	if (!options->bars || room < BAR_LEAST)
		return 0;
	return room < BAR_CELLS ? room : BAR_CELLS;
}

static void print_bar(const struct page_options *options, double share, int cells, enum terminal_style style, FILE *out)
{
	if (!cells)
		return;
	terminal_gauge(options, share, share, cells, style, out);
	fputc(' ', out);
}

/* A line of a list without its bar: label, number, share. */
#define LIST_COLUMNS (2 + LABEL_COLUMNS + 10 + 2 + 4)

static void print_listed(const struct page_options *options, const char *name, const char *number, double share,
			 enum terminal_style style, FILE *out)
{
	fprintf(out, "  %-*s", LABEL_COLUMNS, name);
	print_bar(options, share, bar_cells(options, LIST_COLUMNS), style, out);
	fprintf(out, "%10s  %3.0f%%\n", number, 100 * share);
}

static void print_all(const struct page_options *options, const char *number, const char *what, FILE *out)
{
	int cells = bar_cells(options, LIST_COLUMNS);

	fprintf(out, "  %-*s%*s%10s%s\n", LABEL_COLUMNS, "all", cells ? cells + 1 : 0, "", number, what);
}

static void print_causes(const struct job_group *total, const struct job_causes *causes, const struct page_options *options,
			 FILE *out)
{
	double all = job_figure(total, causes->all);
	char text[HOURS_TEXT];

	if (!(all > 0))
		return;
	print_head(options, causes->head, out);
	for (size_t i = 0; i < causes->count; i++) {
		double hours = job_figure(total, causes->first + i);

		if (hours > 0)
			print_listed(options, causes->names[i], job_hours_text(hours, text), hours / all, STYLE_WARNING, out);
	}
	print_all(options, job_hours_text(all, text), "", out);
}

/* Prints "  LABEL   text", wrapped between words. */
static void print_number(const struct page_options *options, FILE *out, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void print_number(const struct page_options *options, FILE *out, const char *label, const char *format, ...)
{
	cleanup_free char *text = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		text = NULL;
		return;
	}
	fprintf(out, "  %-*s", LABEL_COLUMNS, label);
	print_wrapped(options, text, LABEL_COLUMNS + 2, out);
}

static void print_numbers(const struct job_group *total, const struct page_options *options, FILE *out)
{
	char a[CELL_TEXT], b[CELL_TEXT], c[CELL_TEXT], d[CELL_TEXT], e[CELL_TEXT], f[CELL_TEXT];

	print_number(options, out, "CPU efficiency", "%s used; median of jobs %s, half of them between %s and %s",
		     figure_text(total, FIGURE_CPU_EFF, a), figure_text(total, FIGURE_CPU_EFF_MEDIAN, b),
		     figure_text(total, FIGURE_CPU_EFF_Q1, c), figure_text(total, FIGURE_CPU_EFF_Q3, d));
	print_number(options, out, "memory efficiency", "%s used; median of jobs %s, half of them between %s and %s",
		     figure_text(total, FIGURE_MEM_EFF, a), figure_text(total, FIGURE_MEM_EFF_MEDIAN, b),
		     figure_text(total, FIGURE_MEM_EFF_Q1, c), figure_text(total, FIGURE_MEM_EFF_Q3, d));
	print_number(options, out, "node-hours idle", "%s of %s, used less than 2 %%",
		     figure_text(total, FIGURE_NODE_H_WASTED, a), figure_text(total, FIGURE_NODE_H_GIVEN, b));
	print_number(options, out, "core-h used for nothing", "%s, by jobs that failed, were killed or timed out",
		     figure_text(total, FIGURE_CORE_H_LOST, a));
	print_number(options, out, "jobs",
		     "%s completed, %s failed, %s out of memory, %s timed out, %s cancelled, %s shorter than a minute",
		     figure_text(total, FIGURE_COMPLETED, a), figure_text(total, FIGURE_FAILED, b),
		     figure_text(total, FIGURE_OOM, c), figure_text(total, FIGURE_TIMEOUT, d),
		     figure_text(total, FIGURE_CANCELLED, e), figure_text(total, FIGURE_SHORT, f));
	print_number(options, out, "coverage", "%s of the jobs' nodes have a record; %s of %s jobs were counted as a whole",
		     figure_text(total, FIGURE_COVERAGE, a), figure_text(total, FIGURE_COMPLETE, b),
		     figure_text(total, FIGURE_JOBS, c));
}

/* Fills @sorted with the indices of numbers that are not 0, the largest first. Returns how many there are. */
static size_t sort_places(const int64_t numbers[], size_t count, size_t sorted[])
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		size_t place = used;

		if (!numbers[i])
			continue;
		for (; place > 0 && numbers[sorted[place - 1]] < numbers[i]; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = i;
		used++;
	}
	return used;
}

static void print_verdicts(const struct job_group *total, const struct page_options *options, FILE *out)
{
	size_t sorted[BOUND_UNKNOWN + 1], count = sort_places(total->verdicts, BOUND_UNKNOWN + 1, sorted);
	char text[HOURS_TEXT];

	print_head(options, "What jobs were bound by", out);
	for (size_t i = 0; i < count; i++) {
		double jobs = (double)total->verdicts[sorted[i]];

		print_listed(options, bound_word((enum bound)sorted[i]), job_count_text(jobs, text),
			     jobs / (double)total->jobs, STYLE_ACCENT, out);
	}
	print_all(options, job_count_text((double)total->jobs, text), " jobs", out);
}

static void print_findings(const struct job_group *total, const struct page_options *options, FILE *out)
{
	size_t sorted[FINDING_COUNT], count = sort_places(total->findings, FINDING_COUNT, sorted), words = 0;
	size_t shown = count > FINDINGS_SHOWN + 1 ? FINDINGS_SHOWN : count;
	char text[HOURS_TEXT];
	int cells;

	if (!count)
		return;
	for (size_t i = 0; i < shown; i++)
		widen(&words, strlen(finding_rules[sorted[i]].of_many));
	cells = bar_cells(options, 2 + 7 + 2 + 4 + 2 + (int)words);
	print_head(options, "What was found, and in how many jobs", out);
	for (size_t i = 0; i < shown; i++) {
		double jobs = (double)total->findings[sorted[i]], share = jobs / (double)total->jobs;
		enum look look = look_of_severity(finding_rules[sorted[i]].severity);

		fputs("  ", out);
		print_bar(options, share, cells, terminal_style_of(look, STYLE_ACCENT), out);
		fprintf(out, "%7s  %3.0f%%  %s\n", job_count_text(jobs, text), 100 * share,
			finding_rules[sorted[i]].of_many);
	}
	if (shown < count)
		fprintf(out, "  and %zu more: --by finding\n", count - shown);
}

static void print_left_out(const struct jobs_summary *summary, FILE *out)
{
	if (summary->running)
		fprintf(out, "Not counted: %lld job%s still running\n", (long long)summary->running, plural(summary->running));
	if (summary->without_end)
		fprintf(out, "Not counted: %lld job%s with an unknown end time\n", (long long)summary->without_end,
			plural(summary->without_end));
}

/* Returns a text that says which jobs count; NULL if all jobs count, or if out of memory. */
static char *which_text(const struct jobs_summary *summary, const struct page_options *options)
{
	bool some = summary->period.since_us || summary->period.until_us || summary->filter_count ||
		    summary->some_hidden;
	cleanup_free char *which = some ? jobs_summary_which(summary) : NULL;
	char *text = which ? terminal_escape(options, which) : NULL, *sentence = NULL;

	if (text && asprintf(&sentence, "%s.", text) < 0)
		sentence = NULL;
	free(text);
	return sentence;
}

void jobs_summary_print(struct jobs_summary *summary, const struct page_options *options, FILE *out)
{
	const struct job_group *total = &summary->total;
	cleanup_free char *sentence = jobs_summary_sentence(summary), *change = jobs_summary_change(summary);
	cleanup_free char *coverage = jobs_summary_coverage(summary), *which = which_text(summary, options);
	cleanup_free char *age = jobs_summary_age(summary);
	cleanup_free char *unread = jobs_summary_unread(summary);

	fputs(terminal_on(options, STYLE_HEAD), out);
	print_wrapped(options, sentence ? sentence : "", 0, out);
	fputs(terminal_off(options), out);
	if (which)
		print_wrapped(options, which, 0, out);
	if (change)
		print_wrapped(options, change, 0, out);
	if (coverage)
		print_wrapped(options, coverage, 0, out);
	if (age)
		print_wrapped(options, age, 0, out);
	if (unread)
		print_wrapped(options, unread, 0, out);
	print_left_out(summary, out);
	if (!total->jobs)
		return;
	print_causes(total, &job_cpu_causes, options, out);
	print_causes(total, &job_memory_causes, options, out);
	print_verdicts(total, options, out);
	print_findings(total, options, out);
	print_head(options, "All jobs", out);
	print_numbers(total, options, out);
	print_groups(summary, options, out);
}
