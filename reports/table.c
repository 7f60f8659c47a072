/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/units.h"

#define CELL_MAX ROW_WORST_TEXT
#define UNKNOWN "-"
#define TEXT_WIDTH 16 /* of a state, or what bound a job: longer than all words that there are */
#define ID_WIDTH 33 /* of an array's task and its attempt; wider are made-up ones alone */
#define LAST_MIN 12 /* of the last column, where the page is too narrow for all */
#define WORKFLOW_MIN 12 /* of a rule's and its sample's name, which has what the others leave */

enum column { ID, WORKFLOW, STATE, ELAPSED, TIME_EFF, CPU_EFF, MEM_EFF, PEAK, BOUND, FINDINGS, COLUMNS };

static const struct {
	const char *head;
	bool is_text; /* flush left */
} columns[COLUMNS] = {
	{ "JobID", true },   { "Workflow", true }, { "State", true }, { "Elapsed", false }, { "TimeEff", false },
	{ "CPUEff", false }, { "MemEff", false },  { "Peak", false }, { "Bound", true },    { "Findings", true },
};

/* Before it: of two columns of numbers the heads keep them apart. */
static int gap(enum column column)
{
	return column == 0 ? 0 : columns[column].is_text ? 2 : 1;
}

struct cell {
	char text[CELL_MAX];
};

/* ---- cells ---- */

static const char *put_text(struct cell *cell, const char *text)
{
	escape_text(text && *text ? text : UNKNOWN, cell->text, sizeof(cell->text));
	escape_cut(cell->text, TEXT_WIDTH);
	return cell->text;
}

static const char *put_share(struct cell *cell, double share)
{
	if (isnan(share))
		return strcpy(cell->text, UNKNOWN);
	snprintf(cell->text, sizeof(cell->text), "%.1f%%", 100 * share);
	return cell->text;
}

static const char *put_id(struct cell *cell, const struct row *row)
{
	char id[ROW_ID_TEXT];

	row_id(row, id);
	if (row->attempt > 1 || strstr(row->path ? row->path : "", ".attempt-"))
		snprintf(cell->text, sizeof(cell->text), "%s (attempt %lld)", id, (long long)row->attempt);
	else
		snprintf(cell->text, sizeof(cell->text), "%s", id);
	escape_cut(cell->text, ID_WIDTH);
	return cell->text;
}

static const char *put_workflow(struct cell *cell, const struct row *row)
{
	char text[CELL_MAX / 4]; /* escaped, one character can be four */

	if (!row->unit)
		return put_text(cell, NULL);
	snprintf(text, sizeof(text), "%s%s%s", row->unit, row->unit_which ? " " : "",
		 row->unit_which ? row->unit_which : "");
	return put_text(cell, text);
}

/* A report that does not tell all has a mark behind what it tells. */
static const char *put_state(struct cell *cell, const struct row *row)
{
	put_text(cell, row->state);
	if (!row->complete && strlen(cell->text) < sizeof(cell->text) - 2)
		strcat(cell->text, "*");
	return cell->text;
}

static const char *put_cell(const struct row *row, enum column column, struct cell *cell)
{
	switch (column) {
	case ID:
		return put_id(cell, row);
	case WORKFLOW:
		return put_workflow(cell, row);
	case STATE:
		return put_state(cell, row);
	case ELAPSED:
		return isnan(row->elapsed_s) ? strcpy(cell->text, UNKNOWN)
					     : short_duration_text(row->elapsed_s, cell->text);
	case TIME_EFF:
		return put_share(cell, row_time_efficiency(row));
	case CPU_EFF:
		return put_share(cell, row->cpu_efficiency);
	case MEM_EFF:
		return put_share(cell, row->memory_efficiency);
	case PEAK:
		return isnan(row->memory_used) ? strcpy(cell->text, UNKNOWN)
					       : short_size_text(row->memory_used, cell->text);
	case BOUND:
		return put_text(cell, row->bound);
	default:
		return row_worst(row, SIZE_MAX, cell->text);
	}
}

/* ---- for people ---- */

static void measure(const struct row *rows, size_t count, size_t widths[COLUMNS])
{
	struct cell cell;

	for (enum column c = 0; c < COLUMNS; c++) {
		widths[c] = strlen(columns[c].head);
		for (size_t r = 0; r < count; r++) {
			size_t width = escape_width(put_cell(&rows[r], c, &cell));

			widths[c] = width > widths[c] ? width : widths[c];
		}
	}
}

/* Jobs of no workflow need no such column; a narrow page has none. */
static void measure_workflow(const struct row *rows, size_t count, const struct page_options *options,
			     size_t widths[COLUMNS])
{
	size_t others = gap(COLUMNS - 1) + LAST_MIN + gap(WORKFLOW), r = 0;

	while (r < count && !rows[r].unit)
		r++;
	for (enum column c = 0; c < COLUMNS - 1; c++)
		others += c == WORKFLOW ? 0 : gap(c) + widths[c];
	if (r == count || others + WORKFLOW_MIN > (size_t)options->width)
		widths[WORKFLOW] = 0;
	else if (widths[WORKFLOW] > options->width - others)
		widths[WORKFLOW] = options->width - others;
}

/* What all columns but the last take. */
static size_t sum(const size_t widths[COLUMNS])
{
	size_t others = gap(COLUMNS - 1);

	for (enum column c = 0; c < COLUMNS - 1; c++)
		others += widths[c] ? gap(c) + widths[c] : 0;
	return others;
}

/* A page that is too narrow goes without what is told elsewhere first. */
static void drop_columns(const struct page_options *options, size_t widths[COLUMNS])
{
	static const enum column dispensable[] = { TIME_EFF, BOUND, MEM_EFF, PEAK, CPU_EFF, ELAPSED };

	for (size_t i = 0; i < sizeof(dispensable) / sizeof(dispensable[0]); i++)
		if (sum(widths) + LAST_MIN > (size_t)options->width)
			widths[dispensable[i]] = 0;
}

/* What the last column may have. */
static size_t room(const size_t widths[COLUMNS], const struct page_options *options)
{
	size_t others = sum(widths);

	return others + LAST_MIN < (size_t)options->width ? options->width - others : LAST_MIN;
}

static void print_cell(FILE *out, const char *text, size_t width, bool flush_left, const char *on, const char *off)
{
	size_t used = escape_width(text);
	int space = (int)(width > used ? width - used : 0);

	if (flush_left)
		fprintf(out, "%s%s%s%*s", on, text, off, space, "");
	else
		fprintf(out, "%*s%s%s%s", space, "", on, text, off);
}

static const char *style_of(const struct row *row, enum column column, const struct page_options *options)
{
	static const enum terminal_style of_severity[] = { STYLE_FAINT, STYLE_FAINT, STYLE_WARNING, STYLE_BAD };
	bool good = row->state && strcmp(row->state, "COMPLETED") == 0;

	if (column == STATE && row->state)
		return terminal_on(options, good ? STYLE_GOOD : STYLE_BAD);
	if (column == FINDINGS)
		return terminal_on(options, of_severity[row->severity]);
	return NULL;
}

static void print_row(FILE *out, const struct row *row, const size_t widths[COLUMNS],
		      const struct page_options *options)
{
	for (enum column c = 0; c < COLUMNS; c++) {
		struct cell cell;
		const char *on = style_of(row, c, options);
		size_t width = c == COLUMNS - 1 ? 0 : widths[c];

		if (!widths[c])
			continue;
		put_cell(row, c, &cell);
		if (c == WORKFLOW)
			escape_cut(cell.text, width);
		if (c == COLUMNS - 1)
			row_worst(row, room(widths, options), cell.text);
		fprintf(out, "%*s", gap(c), "");
		print_cell(out, cell.text, width, columns[c].is_text, on ? on : "", on ? terminal_off(options) : "");
	}
	fputc('\n', out);
}

void table_print(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	size_t widths[COLUMNS], incomplete = 0;

	measure(rows, count, widths);
	measure_workflow(rows, count, options, widths);
	drop_columns(options, widths);
	fputs(terminal_on(options, STYLE_HEAD), out);
	for (enum column c = 0; c < COLUMNS; c++) {
		if (!widths[c])
			continue;
		fprintf(out, "%*s", gap(c), "");
		print_cell(out, columns[c].head, c == COLUMNS - 1 ? 0 : widths[c], columns[c].is_text, "", "");
	}
	fprintf(out, "%s\n", terminal_off(options));
	for (size_t r = 0; r < count; r++) {
		print_row(out, &rows[r], widths, options);
		incomplete += !rows[r].complete;
	}
	if (incomplete)
		fputs("* not all of it was counted: its page says what is missing\n", out);
}

/* ---- sorting ---- */

static int order(double one, double other)
{
	return one < other ? -1 : one > other;
}

static int texts(const char *one, const char *other)
{
	return strcmp(one, other);
}

static int by_id(const struct row *one, const struct row *other)
{
	int64_t job = one->array >= 0 ? one->array : one->het >= 0 ? one->het : one->id;
	int64_t other_job = other->array >= 0 ? other->array : other->het >= 0 ? other->het : other->id;
	int result = order(job, other_job);

	if (!result)
		result = order(one->task, other->task);
	if (!result)
		result = order(one->het_offset, other->het_offset);
	return result ? result : order(one->attempt, other->attempt);
}

static int by_state(const struct row *one, const struct row *other)
{
	return texts(one->state, other->state);
}

static int by_bound(const struct row *one, const struct row *other)
{
	return texts(one->bound, other->bound);
}

static int by_name(const struct row *one, const struct row *other)
{
	return texts(one->name, other->name);
}

static int by_start(const struct row *one, const struct row *other)
{
	return texts(one->start, other->start);
}

static double known(const char *text)
{
	return text ? 0 : NAN;
}

static double always(const struct row *row)
{
	(void)row;
	return 0;
}

static double has_state(const struct row *row)
{
	return known(row->state);
}

static double has_bound(const struct row *row)
{
	return known(row->bound);
}

static double has_name(const struct row *row)
{
	return known(row->name);
}

static double has_start(const struct row *row)
{
	return known(row->start);
}

static double severity(const struct row *row)
{
	return row->severity;
}

static const struct {
	const char *name;
	struct table_sort sort;
} sorts[] = {
	{ "id", { by_id, always, false } },
	{ "state", { by_state, has_state, false } },
	{ "elapsed", { NULL, row_elapsed, false } },
	{ "timeeff", { NULL, row_time_efficiency, false } },
	{ "cpueff", { NULL, row_cpu_efficiency, false } },
	{ "memeff", { NULL, row_memory_efficiency, false } },
	{ "peak", { NULL, row_memory_used, false } },
	{ "bound", { by_bound, has_bound, false } },
	{ "findings", { NULL, severity, false } },
	{ "start", { by_start, has_start, false } },
	{ "name", { by_name, has_name, false } },
};

const char table_sort_fields[] = "id, state, elapsed, timeeff, cpueff, memeff, peak, bound, findings, start, name";

bool table_read_sort(const char *text, struct table_sort *sort)
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

static int compare(const void *a, const void *b, void *context)
{
	const struct row *one = a, *other = b;
	const struct table_sort *sort = context;
	double number = sort->number(one), other_number = sort->number(other);
	int result = 0;

	if (!isnan(number) != !isnan(other_number))
		return isnan(number) ? 1 : -1;
	if (!isnan(number))
		result = sort->compare ? sort->compare(one, other) : order(number, other_number);
	if (!result)
		return order(one->order, other->order);
	return sort->descending ? -result : result;
}

void table_sort(struct row *rows, size_t count, const struct table_sort *sort)
{
	for (size_t i = 0; i < count; i++)
		rows[i].order = i;
	if (count)
		qsort_r(rows, count, sizeof(rows[0]), compare, (void *)(uintptr_t)sort);
}
