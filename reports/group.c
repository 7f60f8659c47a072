/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/group.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/table.h"
#include "reports/units.h"

#define ROWS_SHOWN 40
#define NAMED_SHOWN 8
#define WORDS_MAX 16 /* different states, verdicts or findings that are counted */
#define TEXT_MAX 1024
#define NUMBER_TEXT 48

static const char *escaped(const char *text, char shown[TEXT_MAX])
{
	return escape_text(text ? text : "?", shown, TEXT_MAX);
}

/* A line, which is fit for a terminal but for its width. */
static void line(const struct page_options *options, FILE *out, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void line(const struct page_options *options, FILE *out, const char *format, ...)
{
	cleanup_free char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (!text)
		return;
	escape_cut(text, options->width);
	fprintf(out, "%s\n", text);
}

/* ---- how often each word ---- */

struct tally {
	const char *words[WORDS_MAX]; /* borrowed */
	size_t lengths[WORDS_MAX], counts[WORDS_MAX], used;
	size_t others;
};

static void tally_add(struct tally *tally, const char *word, size_t length)
{
	for (size_t i = 0; i < tally->used; i++) {
		if (tally->lengths[i] == length && memcmp(tally->words[i], word, length) == 0) {
			tally->counts[i]++;
			return;
		}
	}
	if (tally->used == WORDS_MAX) {
		tally->others++;
		return;
	}
	tally->words[tally->used] = word;
	tally->lengths[tally->used] = length;
	tally->counts[tally->used++] = 1;
}

/* A place in a list that goes on in the next line. */
struct listing {
	FILE *out;
	const struct page_options *options;
	size_t indent, column;
};

static void list_item(struct listing *listing, const char *item)
{
	size_t width = escape_width(item);
	bool first = listing->column == listing->indent;

	if (!first && listing->column + strlen(", ,") + width > (size_t)listing->options->width) {
		fprintf(listing->out, ",\n%*s%s", (int)listing->indent, "", item);
		listing->column = listing->indent + width;
	} else {
		fprintf(listing->out, "%s%s", first ? "" : ", ", item);
		listing->column += width + (first ? 0 : strlen(", "));
	}
}

/* "State: 18 COMPLETED, 2 FAILED": the most frequent first. */
static void print_tally(FILE *out, const struct page_options *options, const char *label, struct tally *tally)
{
	struct listing listing = { out, options, strlen(label), strlen(label) };
	char item[TEXT_MAX], shown[TEXT_MAX];

	if (tally->used == 0)
		return;
	fputs(label, out);
	for (size_t done = 0; done < tally->used; done++) {
		size_t most = 0;

		for (size_t i = 1; i < tally->used; i++)
			most = tally->counts[i] > tally->counts[most] ? i : most;
		snprintf(item, sizeof(item), "%zu %.*s", tally->counts[most], (int)tally->lengths[most],
			 tally->words[most]);
		escaped(item, shown);
		escape_cut(shown, options->width - listing.indent - strlen(","));
		list_item(&listing, shown);
		tally->counts[most] = 0;
	}
	snprintf(item, sizeof(item), "%zu others", tally->others);
	if (tally->others)
		list_item(&listing, item);
	fputc('\n', out);
}

static void print_states(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	struct tally states = { 0 };

	for (size_t i = 0; i < count; i++)
		tally_add(&states, rows[i].state ? rows[i].state : "of unknown state",
			  strlen(rows[i].state ? rows[i].state : "of unknown state"));
	print_tally(out, options, "State: ", &states);
}

static void print_bound(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	struct tally bound = { 0 };

	for (size_t i = 0; i < count; i++)
		if (rows[i].bound)
			tally_add(&bound, rows[i].bound, strlen(rows[i].bound));
	print_tally(out, options, "Bound: ", &bound);
}

static void print_findings(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	struct tally findings = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *code = rows[i].findings;

		for (; code && *code; code += strspn(code, ", ")) {
			size_t length = strcspn(code, ", ");

			tally_add(&findings, code, length);
			code += length;
		}
	}
	print_tally(out, options, "Findings: ", &findings);
}

/* ---- who it was ---- */

static const char *base_id(const struct row *row, char text[ROW_ID_TEXT])
{
	snprintf(text, ROW_ID_TEXT, "%lld", (long long)(row->array >= 0 ? row->array : row->het));
	return text;
}

static void print_head(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	size_t incomplete = 0, earlier = 0;
	char text[TEXT_MAX], id[ROW_ID_TEXT];
	bool array = rows[0].array >= 0;

	for (size_t i = 0; i < count; i++) {
		incomplete += !rows[i].complete;
		earlier += rows[i].earlier > 0 || rows[i].attempt > 1;
	}
	if (incomplete)
		fprintf(out, "%sNOT COMPLETE%s: of %zu of %zu not all was counted (* below)\n",
			terminal_on(options, STYLE_WARNING), terminal_off(options), incomplete, count);
	fprintf(out, "%s: %s\n", array ? "Array Job ID" : "Heterogeneous Job ID", base_id(rows, id));
	if (rows[0].name)
		line(options, out, "Job name: %s", escaped(rows[0].name, text));
	if (rows[0].cluster)
		line(options, out, "Cluster: %s", escaped(rows[0].cluster, text));
	if (rows[0].user)
		line(options, out, "User: %s", escaped(rows[0].user, text));
	fprintf(out, "%s with a report: %zu\n", array ? "Tasks" : "Components", count);
	if (earlier)
		fprintf(out, "Requeued: %zu of them; these are their latest attempts\n", earlier);
}

/* ---- the spread ---- */

struct measure {
	const char *label;
	double (*value)(const struct row *row);
	void (*print)(double value, char text[NUMBER_TEXT]);
};

static void print_time(double value, char text[NUMBER_TEXT])
{
	short_duration_text(value, text);
}

static void print_share(double value, char text[NUMBER_TEXT])
{
	snprintf(text, NUMBER_TEXT, "%.2f%%", 100 * value);
}

static void print_size(double value, char text[NUMBER_TEXT])
{
	size_text(value, text);
}

/* A value, and whose it is. */
struct point {
	double value;
	const struct row *row;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *one = a, *other = b;

	return one->value < other->value ? -1 : one->value > other->value;
}

static size_t collect(const struct row *rows, size_t count, const struct measure *measure, struct point *points)
{
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		points[known].value = measure->value(&rows[i]);
		points[known].row = &rows[i];
		known += !isnan(points[known].value);
	}
	if (known)
		qsort(points, known, sizeof(points[0]), compare_points);
	return known;
}

/* Of an array the task's number is enough. */
static const char *short_id(const struct row *row, char text[ROW_ID_TEXT])
{
	if (row->array < 0 || row->task < 0)
		return row_id(row, text);
	snprintf(text, ROW_ID_TEXT, "%lld", (long long)row->task);
	return text;
}

static void print_measure(FILE *out, const struct page_options *options, const struct measure *measure, const struct point *points, size_t known,
			  size_t count)
{
	char least[NUMBER_TEXT], middle[NUMBER_TEXT], most[NUMBER_TEXT], unknown[NUMBER_TEXT] = "";
	char first[ROW_ID_TEXT], last[ROW_ID_TEXT];

	if (known == 0) {
		line(options, out, "  %-17s  not known", measure->label);
		return;
	}
	measure->print(points[0].value, least);
	measure->print((points[(known - 1) / 2].value + points[known / 2].value) / 2, middle);
	measure->print(points[known - 1].value, most);
	if (known < count)
		snprintf(unknown, sizeof(unknown), ", %zu not known", count - known);
	line(options, out, "  %-17s%10s%10s%10s  %s to %s%s", measure->label, least, middle, most,
	     short_id(points[0].row, first), short_id(points[known - 1].row, last), unknown);
}

static void print_spread(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	static const struct measure measures[] = {
		{ "Elapsed", row_elapsed, print_time },
		{ "CPU efficiency", row_cpu_efficiency, print_share },
		{ "Memory peak", row_memory_used, print_size },
		{ "Memory efficiency", row_memory_efficiency, print_share },
	};
	cleanup_free struct point *points = calloc(count + 1, sizeof(*points));

	if (!points)
		return;
	fprintf(out, "\n%sSpread%s\n", terminal_on(options, STYLE_HEAD), terminal_off(options));
	line(options, out, "  %-17s%10s%10s%10s  %s", "", "Min", "Median", "Max",
	     rows[0].array >= 0 ? "Tasks" : "Components");
	for (size_t m = 0; m < sizeof(measures) / sizeof(measures[0]); m++)
		print_measure(out, options, &measures[m], points, collect(rows, count, &measures[m], points), count);
}

/* ---- who failed ---- */

static bool failed(const struct row *row)
{
	return row->state && strcmp(row->state, "COMPLETED") != 0;
}

static void print_ending(FILE *out, const struct page_options *options, const struct row *row)
{
	char state[TEXT_MAX], id[ROW_ID_TEXT], worst[ROW_WORST_TEXT] = "", how[64] = "";

	if (row->signal > 0)
		snprintf(how, sizeof(how), " (signal %lld)", (long long)row->signal);
	else if (row->exit_code > 0)
		snprintf(how, sizeof(how), " (exit code %lld)", (long long)row->exit_code);
	if (row->findings)
		row_worst(row, SIZE_MAX, worst);
	line(options, out, "  %s  %s%s%s%s", row_id(row, id), escaped(row->state, state), how, *worst ? ": " : "", worst);
}

static void print_failed(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < count; i++)
		all += failed(&rows[i]);
	if (all == 0)
		return;
	fprintf(out, "\n%sNot completed: %zu%s\n", terminal_on(options, STYLE_BAD), all, terminal_off(options));
	for (size_t i = 0; i < count && (shown < NAMED_SHOWN || options->all); i++) {
		if (!failed(&rows[i]))
			continue;
		print_ending(out, options, &rows[i]);
		shown++;
	}
	if (shown < all)
		fprintf(out, "  and %zu more: stint report --table --sort=-state\n", all - shown);
}

/* ---- all ---- */

static void print_rows(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	size_t shown = options->all || count <= ROWS_SHOWN ? count : ROWS_SHOWN;
	char id[ROW_ID_TEXT];

	fputc('\n', out);
	table_print(rows, shown, options, out);
	if (shown < count)
		fprintf(out, "and %zu more: stint report --table %s\n", count - shown, base_id(rows, id));
}

int group_print(struct row *rows, size_t count, const char *config, const struct page_options *options, FILE *out,
		struct error *err)
{
	struct table_sort by_id;
	struct conf conf;

	if (conf_load_default(&conf, config, err) < 0)
		return -1;
	table_read_sort("id", &by_id);
	table_sort(rows, count, &by_id);
	print_head(rows, count, options, out);
	print_states(rows, count, options, out);
	print_bound(rows, count, options, out);
	print_findings(rows, count, options, out);
	print_spread(rows, count, options, out);
	print_failed(rows, count, options, out);
	if (rows[0].array >= 0) /* components ask for different things */
		group_print_advice(rows, count, &conf, options, out);
	print_rows(rows, count, options, out);
	return 0;
}

/* ---- attempts ---- */

void group_print_attempts(const struct row *rows, size_t count, const struct page_options *options, FILE *out)
{
	char state[TEXT_MAX], reason[TEXT_MAX], elapsed_text[DURATION_TEXT], start[TEXT_MAX];

	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];

		line(options, out, "Attempt %lld: %s%s%s, after %s, begun %.19s", (long long)row->attempt,
		     escaped(row->state, state), row->reason ? ", " : "",
		     row->reason ? escaped(row->reason, reason) : "",
		     isnan(row->elapsed_s) ? "?" : short_duration_text(row->elapsed_s, elapsed_text),
		     escaped(row->start, start));
	}
	if (count > 0)
		fputc('\n', out);
}
