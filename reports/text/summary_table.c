/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/summary_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/suffix.h"
#include "common/time_text.h"
#include "reports/json/job_state.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

#define CELL_TEXT 64
#define STATE_MAX 16 /* columns; no state or verdict is longer */
#define ID_MAX 33 /* columns; only a forged id of a task with its attempt is longer */
#define FINDINGS_MIN 20
#define NAME_MIN 8
#define NOTE_TEXT 128
#define WORKFLOW_MIN 12
#define MARK "*"
#define OR_MORE "+"

enum column { ID, USER, NAME, WORKFLOW, STATE, START, ELAPSED, TIME_EFF, CPU_EFF, MEM_EFF, PEAK, BOUND, FINDINGS, COLUMNS };

/* @mark: follows the share. */
static const char *share_text(double share, const char *mark, char text[CELL_TEXT])
{
	if (isnan(share))
		return PAGE_NO_VALUE;
	snprintf(text, CELL_TEXT, "%.1f%%%s", 100 * share, mark);
	return text;
}

static const char *peak_text(double bytes, const char *mark, char text[CELL_TEXT])
{
	char size[SIZE_TEXT];

	if (isnan(bytes))
		return PAGE_NO_VALUE;
	snprintf(text, CELL_TEXT, "%s%s", short_size_text(bytes, size), mark);
	return text;
}

static const char *mark_of_memory(const struct summary *row)
{
	return job_used_more_memory(row->findings) ? OR_MORE : "";
}

static const char *id_text(const struct summary *row, char text[CELL_TEXT + SUMMARY_ID_TEXT])
{
	char id[SUMMARY_ID_TEXT];

	if (row->waiting && row->task < 0 && !row->tasks) {
		snprintf(text, CELL_TEXT + SUMMARY_ID_TEXT, "%lld_[%.40s]", (long long)row->id, row->waiting);
		return text;
	}
	if (row->attempt <= 1 && !strstr(row->path ? row->path : "", ".attempt-"))
		return summary_id(row, text);
	snprintf(text, CELL_TEXT + SUMMARY_ID_TEXT, "%s (attempt %lld)", summary_id(row, id), (long long)row->attempt);
	return text;
}

static char *workflow_text_in(const struct summary *row)
{
	char *text = NULL;

	if (!row->unit || asprintf(&text, "%s%s%s", row->unit, row->unit_which ? " " : "",
				   row->unit_which ? row->unit_which : "") < 0)
		return NULL;
	return text;
}

static char *state_text(const struct summary *row)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s", row->state && *row->state ? row->state : PAGE_NO_VALUE,
		     !row->complete && !row->so_far ? MARK : "") < 0)
		return NULL;
	return text;
}

/* Writes the start without seconds and without the year, because listed jobs are recent. */
static const char *start_text(const struct summary *row, char text[CELL_TEXT])
{
	struct time_parts parts;

	if (!time_split(row->start, &parts))
		return PAGE_NO_VALUE;
	snprintf(text, CELL_TEXT, "%s %.5s", parts.day + strlen("2026-"), parts.clock);
	return text;
}

static const char *note_of(const struct summary *row, char text[NOTE_TEXT])
{
	if (row->path || !row->state || row->report)
		return NULL;
	if (state_waits(row->state)) {
		snprintf(text, NOTE_TEXT, "%s%.100s", row->tasks ? "" : "waits: ", row->reason ? row->reason : "");
		return row->reason ? text : NULL;
	}
	if (row->so_far || row->tasks)
		return NULL;
	return row->start ? "no report" : "never started";
}

static char *findings_text(const struct summary *row)
{
	char reason[OUTCOME_SHORT], note[NOTE_TEXT];
	const char *why = outcome_short(row->state, row->outcome, row->exit_code, row->signal, reason);
	bool says_so = why && row->findings && strcmp(row->findings, "tools-killed") == 0; /* @why already says it */
	cleanup_free char *worst = row->findings && !says_so ? summary_worst(row) : NULL;
	const char *const parts[] = { row->tasks, why, worst ? worst : note_of(row, note) };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0, written = 0; out && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i])
			fprintf(out, "%s%s", written++ ? ", " : "", parts[i]);
	if (out)
		fclose(out);
	if (text && *text)
		return text;
	free(text);
	return NULL;
}

/* Cuts @text to @columns. Keeps its last @length bytes. */
static void cut_before(char *text, size_t length, size_t columns)
{
	size_t begin = strlen(text) - length;
	cleanup_free char *end = strdup(text + begin);

	if (!end)
		return;
	text[begin] = '\0';
	escape_cut(text, columns);
	strcat(text, end);
}

static void cut_state(char *text, size_t columns)
{
	cut_before(text, has_suffix(text, MARK) ? strlen(MARK) : 0, columns);
}

static void cut_findings(char *text, size_t columns)
{
	const char *more = strrchr(text, ' ');
	size_t length = more && more[1] == '+' && strlen(more) < columns ? strlen(more) : 0;

	cut_before(text, length, columns - length);
}

static void add_styles(struct page_table *table, const struct summary *row)
{
	static const struct {
		size_t column;
		enum look_at at;
	} shares[] = { { TIME_EFF, LOOK_AT_TIME }, { CPU_EFF, LOOK_AT_CPU }, { MEM_EFF, LOOK_AT_MEMORY } };

	page_table_style(table, STATE, job_state_style(row->state));
	page_table_style(table, FINDINGS, terminal_style_of(summary_look(row), STYLE_FAINT));
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		page_table_style(table, shares[i].column, terminal_style_of(summary_look_at(row, shares[i].at), STYLE_PLAIN));
}

static void add_row(const struct page *page, struct page_table *table, const struct summary *row)
{
	char id[CELL_TEXT + SUMMARY_ID_TEXT], elapsed[DURATION_TEXT], peak[CELL_TEXT];
	char time[CELL_TEXT], cpu[CELL_TEXT], memory[CELL_TEXT];
	char start[CELL_TEXT];
	cleanup_free char *workflow = workflow_text_in(row), *state = state_text(row);
	cleanup_free char *findings = findings_text(row);

	page_table_add(page, table, (const char *const[COLUMNS]){
		[ID] = id_text(row, id),
		[USER] = page_text_cell(row->user),
		[NAME] = page_text_cell(row->name),
		[WORKFLOW] = page_text_cell(workflow),
		[STATE] = page_text_cell(state),
		[START] = start_text(row, start),
		[ELAPSED] = isnan(row->elapsed_s) ? PAGE_NO_VALUE : short_duration_text(row->elapsed_s, elapsed),
		[TIME_EFF] = share_text(summary_time_efficiency(row), "", time),
		[CPU_EFF] = share_text(row->cpu_efficiency, "", cpu),
		[MEM_EFF] = share_text(row->memory_efficiency, mark_of_memory(row), memory),
		[PEAK] = peak_text(row->memory_used, mark_of_memory(row), peak),
		[BOUND] = row->bound && *row->bound ? row->bound : PAGE_NO_VALUE,
		[FINDINGS] = page_text_cell(findings),
	}, NULL);
	add_styles(table, row);
}

static bool any_workflow(const struct summary *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].unit)
			return true;
	return false;
}

static bool several_users(const struct summary *rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (rows[i].user && rows[0].user && strcmp(rows[i].user, rows[0].user) != 0)
			return true;
	return false;
}

/* On a narrow page, leaves out each column whose value can be seen in another column. */
static void print_table(const struct summary *rows, size_t count, bool is_list, const struct page_options *options,
			FILE *out)
{
	const struct page_column columns[COLUMNS] = {
		[ID] = { .head = "JobID", .is_text = true, .most = ID_MAX },
		[USER] = { .head = "User", .is_text = true, .most = STATE_MAX, .hidden = !is_list || !several_users(rows, count) },
		[NAME] = { .head = "Name", .is_text = true, .least = NAME_MIN, .hidden = !is_list },
		[WORKFLOW] = { .head = "Workflow", .is_text = true, .most = STATE_MAX, .least = WORKFLOW_MIN, .spare = 7,
			       .hidden = !any_workflow(rows, count) },
		[STATE] = { .head = "State", .is_text = true, .most = STATE_MAX, .fit = cut_state },
		[START] = { .head = "Start", .is_text = true, .spare = 8, .hidden = !is_list },
		[ELAPSED] = { .head = "Elapsed", .spare = 1 },
		[TIME_EFF] = { .head = "TimeEff", .spare = 6 },
		[CPU_EFF] = { .head = "CPUEff", .spare = 2 },
		[MEM_EFF] = { .head = "MemEff", .spare = 4 },
		[PEAK] = { .head = "Peak", .spare = 3 },
		[BOUND] = { .head = "Bound", .is_text = true, .most = STATE_MAX, .spare = 5 },
		[FINDINGS] = { .head = "Findings", .is_text = true, .least = FINDINGS_MIN, .fit = cut_findings },
	};
	struct page_table table = { .columns = columns, .count = COLUMNS, .is_list = true };
	struct page page = { .options = options, .out = out };
	size_t incomplete = 0, killed = 0;

	for (size_t i = 0; i < count; i++) {
		add_row(&page, &table, &rows[i]);
		incomplete += !rows[i].complete && !rows[i].so_far;
		killed += *mark_of_memory(&rows[i]) && !isnan(rows[i].memory_used);
	}
	page_table_print(&page, &table);
	if (incomplete)
		fputs(MARK " counted only in part: its page says what is missing\n", out);
	if (killed)
		fputs(OR_MORE " or more: memory ran out, and the kernel killed processes\n", out);
}

void summary_table_print(const struct summary *rows, size_t count, const struct page_options *options, FILE *out)
{
	print_table(rows, count, false, options, out);
}

void summary_table_print_list(const struct summary *rows, size_t count, const struct page_options *options, FILE *out)
{
	print_table(rows, count, true, options, out);
}

static int compare_numbers(double one, double other)
{
	return one < other ? -1 : one > other;
}

static int by_id(const struct summary *one, const struct summary *other)
{
	int64_t job = one->array >= 0 ? one->array : one->het >= 0 ? one->het : one->id;
	int64_t other_job = other->array >= 0 ? other->array : other->het >= 0 ? other->het : other->id;
	int result = compare_numbers(job, other_job);

	if (!result)
		result = compare_numbers(one->task, other->task);
	if (!result)
		result = compare_numbers(one->het_offset, other->het_offset);
	return result ? result : compare_numbers(one->attempt, other->attempt);
}

static int by_state(const struct summary *one, const struct summary *other)
{
	return strcmp(one->state, other->state);
}

static int by_bound(const struct summary *one, const struct summary *other)
{
	return strcmp(one->bound, other->bound);
}

static int by_name(const struct summary *one, const struct summary *other)
{
	return strcmp(one->name, other->name);
}

static int by_start(const struct summary *one, const struct summary *other)
{
	return strcmp(one->start, other->start);
}

static double zero_where_known(const char *text)
{
	return text ? 0 : NAN;
}

static double always(const struct summary *row)
{
	(void)row;
	return 0;
}

static double has_state(const struct summary *row)
{
	return zero_where_known(row->state);
}

static double has_bound(const struct summary *row)
{
	return zero_where_known(row->bound);
}

static double has_name(const struct summary *row)
{
	return zero_where_known(row->name);
}

static double has_start(const struct summary *row)
{
	return zero_where_known(row->start);
}

static double severity(const struct summary *row)
{
	return row->severity;
}

static const struct {
	const char *name;
	struct summary_table_sort sort;
} sorts[] = {
	{ "id", { by_id, always, false } },
	{ "state", { by_state, has_state, false } },
	{ "elapsed", { NULL, summary_elapsed, false } },
	{ "timeeff", { NULL, summary_time_efficiency, false } },
	{ "cpueff", { NULL, summary_cpu_efficiency, false } },
	{ "memeff", { NULL, summary_memory_efficiency, false } },
	{ "peak", { NULL, summary_memory_used, false } },
	{ "bound", { by_bound, has_bound, false } },
	{ "findings", { NULL, severity, false } },
	{ "start", { by_start, has_start, false } },
	{ "name", { by_name, has_name, false } },
};

const char table_sort_fields[] = "id, state, elapsed, timeeff, cpueff, memeff, peak, bound, findings, start, name";

bool summary_table_read_sort(const char *text, struct summary_table_sort *sort)
{
	bool descending = *text == '-';

	text += descending;
	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
		if (strcasecmp(sorts[i].name, text) != 0)
			continue;
		*sort = sorts[i].sort;
		sort->descending = descending;
		return true;
	}
	return false;
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct summary *one = a, *other = b;
	const struct summary_table_sort *sort = context;
	double number = sort->number(one), other_number = sort->number(other);
	int result = 0;

	if (!isnan(number) != !isnan(other_number))
		return isnan(number) ? 1 : -1;
	if (!isnan(number))
		result = sort->compare ? sort->compare(one, other) : compare_numbers(number, other_number);
	if (!result)
		return compare_numbers(one->order, other->order);
	return sort->descending ? -result : result;
}

void summary_table_sort(struct summary *rows, size_t count, const struct summary_table_sort *sort)
{
	for (size_t i = 0; i < count; i++)
		rows[i].order = i;
	if (count)
		qsort_r(rows, count, sizeof(rows[0]), compare_rows, (void *)(uintptr_t)sort);
}
