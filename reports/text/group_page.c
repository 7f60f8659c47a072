/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/group_page.h"

#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/escape.h"
#include "reports/json/units.h"
#include "reports/rows/jobs_sentence.h"
#include "reports/rows/word_counts.h"
#include "reports/rules/rules.h"
#include "reports/terminal/page_lines.h"
#include "reports/text/summary_table.h"
#include "reports/wording/group_advice.h"
#include "reports/wording/group_again.h"
#include "reports/wording/spread.h"

#define ROWS_SHOWN 40
#define NAMED_SHOWN 8
#define AGAIN_SHOWN 1000 /* bytes */
#define NUMBER_TEXT 48
#define SPREAD_LINE "  %-17s %9s %9s %9s  %s%s%s"

/* Where to print the next item of a list. The list may continue on the next line. */
struct listing {
	struct page *page;
	size_t indent, column;
};

static void list_item(struct listing *listing, const char *item)
{
	cleanup_free char *escaped = terminal_escape(listing->page->options, item);
	size_t line = listing->page->options->width, width;
	bool first = listing->column == listing->indent;

	if (!escaped)
		return;
	escape_cut(escaped, line - listing->indent - strlen(","));
	width = escape_width(escaped);
	if (!first && listing->column + strlen(", ,") + width > line) {
		fprintf(listing->page->out, ",\n%*s%s", (int)listing->indent, "", escaped);
		listing->column = listing->indent + width;
	} else {
		fprintf(listing->page->out, "%s%s", first ? "" : ", ", escaped);
		listing->column += width + (first ? 0 : strlen(", "));
	}
}

static void list_count(struct listing *listing, size_t count, size_t length, const char *word)
{
	cleanup_free char *item = NULL;

	if (asprintf(&item, "%zu %.*s", count, (int)length, word) < 0)
		item = NULL;
	if (item)
		list_item(listing, item);
}

/* Prints "State: 18 COMPLETED, 2 FAILED", the most frequent word first. */
static void print_counts(struct page *page, const char *label, struct word_counts *counts)
{
	struct listing listing = { page, strlen(label), strlen(label) };

	if (counts->used == 0)
		return;
	fputs(label, page->out);
	for (size_t done = 0; done < counts->used; done++) {
		size_t most = 0;

		for (size_t i = 1; i < counts->used; i++)
			most = counts->counts[i] > counts->counts[most] ? i : most;
		list_count(&listing, counts->counts[most], counts->lengths[most], counts->words[most]);
		counts->counts[most] = 0;
	}
	if (counts->others)
		list_count(&listing, counts->others, strlen("others"), "others");
	fputc('\n', page->out);
}

static void print_states(struct page *page, const struct summary *rows, size_t count)
{
	struct word_counts states = { .used = 0 };

	word_counts_add_states(&states, rows, count, "of unknown state");
	print_counts(page, "State: ", &states);
}

/* A page for many jobs has no sentence about CPUs, so it adds an explanation to these words. */
static void add_bound(struct word_counts *bound, const char *word)
{
	static const char *const explained[][2] = {
		{ "starved", "starved (other work on the CPUs)" },
		{ "throttled", "throttled (a CPU quota)" },
		{ "oversubscribed", "oversubscribed (more threads than CPUs)" },
	};

	for (size_t i = 0; i < sizeof(explained) / sizeof(explained[0]); i++)
		if (strcmp(word, explained[i][0]) == 0)
			word = explained[i][1];
	word_counts_add(bound, word, strlen(word), 1);
}

static void print_bound(struct page *page, const struct summary *rows, size_t count)
{
	struct word_counts bound = { .used = 0 };

	for (size_t i = 0; i < count; i++)
		if (rows[i].bound)
			add_bound(&bound, rows[i].bound);
	print_counts(page, "Bound: ", &bound);
}

static void print_findings(struct page *page, const struct summary *rows, size_t count)
{
	struct word_counts findings = { .used = 0 };

	for (size_t i = 0; i < count; i++) {
		const char *code = rows[i].findings;

		for (; code && *code; code += strspn(code, ", ")) {
			size_t length = strcspn(code, ", ");
			const struct finding_rule *rule = rules_finding(code, length);

			word_counts_add(&findings, rule ? rule->words : code, rule ? strlen(rule->words) : length, 1);
			code += length;
		}
	}
	print_counts(page, "Findings: ", &findings);
}

static const char *base_id(const struct summary *row, char text[SUMMARY_ID_TEXT])
{
	snprintf(text, SUMMARY_ID_TEXT, "%lld", (long long)(row->array >= 0 ? row->array : row->het));
	return text;
}

static void print_sentence(struct page *page, const struct summary *rows, size_t count)
{
	bool array = rows[0].array >= 0;
	char id[SUMMARY_ID_TEXT], how[JOBS_SENTENCE_TEXT];
	size_t failed = jobs_sentence(rows, count, array ? "task" : "component", how);
	cleanup_free char *text = NULL;

	if (asprintf(&text, "%s %s%s%s: %s", array ? "Array" : "Heterogeneous job", base_id(rows, id), rows[0].name ? " " : "",
		     rows[0].name ? rows[0].name : "", how) < 0)
		text = NULL;
	if (text)
		page_wrapped(page, &(struct page_wrap){ .first = "", .head = failed ? STYLE_BAD : STYLE_GOOD }, text);
	fputc('\n', page->out);
}

static void print_head(struct page *page, const struct summary *rows, size_t count)
{
	size_t incomplete = 0, earlier = 0;
	bool array = rows[0].array >= 0;
	char id[SUMMARY_ID_TEXT];

	for (size_t i = 0; i < count; i++) {
		incomplete += !rows[i].complete && !rows[i].so_far;
		earlier += rows[i].earlier > 0 || rows[i].attempt > 1;
	}
	if (incomplete) {
		terminal_styled(page->options, STYLE_WARNING, "NOT COMPLETE", page->out);
		fprintf(page->out, ": %zu of %zu were counted only in part (* below)\n", incomplete, count);
	}
	page_line(page, array ? "Array Job ID" : "Heterogeneous Job ID", "%s", base_id(rows, id));
	if (rows[0].name)
		page_line(page, "Job name", "%s", rows[0].name);
	if (rows[0].cluster)
		page_line(page, "Cluster", "%s", rows[0].cluster);
	if (rows[0].user)
		page_line(page, "User", "%s", rows[0].user);
	page_line(page, array ? "Tasks with a report" : "Components with a report", "%zu", count);
	if (earlier)
		page_line(page, "Requeued", "%zu of them; these are their latest attempts", earlier);
}

struct measure {
	const char *label;
	double (*value)(const struct summary *row);
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

static const char *short_id(const struct summary *row, char text[SUMMARY_ID_TEXT])
{
	if (row->array < 0 || row->task < 0)
		return summary_id(row, text);
	snprintf(text, SUMMARY_ID_TEXT, "%lld", (long long)row->task);
	return text;
}

static void print_measure(struct page *page, const struct measure *measure, const struct summary *rows, size_t count)
{
	struct spread spread = spread_of(rows, count, measure->value);
	char least[NUMBER_TEXT], middle[NUMBER_TEXT], most[NUMBER_TEXT], unknown[NUMBER_TEXT] = "";
	char first[SUMMARY_ID_TEXT], last[SUMMARY_ID_TEXT];

	if (spread.known == 0) {
		page_text(page, "  %-17s  " PAGE_UNKNOWN, measure->label);
		return;
	}
	measure->print(spread.least, least);
	measure->print(spread.median, middle);
	measure->print(spread.most, most);
	if (spread.known < count)
		snprintf(unknown, sizeof(unknown), ", %zu not known", count - spread.known);
	page_text(page, SPREAD_LINE "%s", measure->label, least, middle, most, short_id(spread.least_row, first),
		  " to ", short_id(spread.most_row, last), unknown);
}

static void print_spread(struct page *page, const struct summary *rows, size_t count)
{
	static const struct measure measures[] = {
		{ "Elapsed", summary_elapsed, print_time },
		{ "CPU efficiency", summary_cpu_efficiency, print_share },
		{ "Memory peak", summary_memory_used, print_size },
		{ "Memory efficiency", summary_memory_efficiency, print_share },
	};

	page_head(page, "Spread");
	page_text(page, SPREAD_LINE, "", "Min", "Median", "Max", rows[0].array >= 0 ? "Tasks" : "Components", " (min to max)", "");
	for (size_t m = 0; m < sizeof(measures) / sizeof(measures[0]); m++)
		print_measure(page, &measures[m], rows, count);
}

static void print_state(struct page *page, const struct summary *row)
{
	cleanup_free char *worst = summary_worst(row);
	char id[SUMMARY_ID_TEXT], how[64] = "";

	if (row->signal > 0)
		snprintf(how, sizeof(how), " (signal %lld)", (long long)row->signal);
	else if (row->exit_code > 0)
		snprintf(how, sizeof(how), " (exit code %lld)", (long long)row->exit_code);
	page_text(page, "  %s  %s%s%s%s", summary_id(row, id), row->state, how, worst ? ": " : "", worst ? worst : "");
}

static void print_ending(struct page *page, const struct summary *row)
{
	char id[SUMMARY_ID_TEXT], first[SUMMARY_ID_TEXT + 8];

	if (!row->outcome) {
		print_state(page, row);
		return;
	}
	snprintf(first, sizeof(first), "  %s  ", summary_id(row, id));
	page_wrapped(page, &(struct page_wrap){ .first = first }, row->outcome);
}

/* Prints a line to paste that submits tasks again. The line is never broken. */
static void print_again(struct page *page, const struct summary *rows, size_t count)
{
	cleanup_free char *tasks = rows[0].array >= 0 ? group_again(rows, count) : NULL;

	if (!tasks)
		return;
	if (strlen(tasks) > AGAIN_SHOWN && !page->options->all) {
		page_text(page, "Again: stint report --again %lld", (long long)rows[0].array);
		return;
	}
	fprintf(page->out, "Again, with the job script at the end: %ssbatch --array=%s%s\n", terminal_on(page->options, STYLE_ACCENT),
		tasks, terminal_off(page->options));
}

static void print_failed(struct page *page, const struct summary *rows, size_t count)
{
	size_t shown = 0, all = 0, limit = page_limit(page, NAMED_SHOWN);

	for (size_t i = 0; i < count; i++)
		all += summary_failed(&rows[i]);
	if (all == 0)
		return;
	fprintf(page->out, "\n%sNot completed: %zu%s\n", terminal_on(page->options, STYLE_BAD), all,
		terminal_off(page->options));
	for (size_t i = 0; i < count && shown < limit; i++) {
		if (!summary_failed(&rows[i]))
			continue;
		print_ending(page, &rows[i]);
		shown++;
	}
	if (shown < all)
		fprintf(page->out, "  and %zu more: stint report --table --sort=-state\n", all - shown);
	print_again(page, rows, count);
}

static void print_rows(struct page *page, const struct summary *rows, size_t count)
{
	size_t limit = page_limit(page, ROWS_SHOWN), shown = count < limit ? count : limit;
	char id[SUMMARY_ID_TEXT];

	fputc('\n', page->out);
	summary_table_print(rows, shown, page->options, page->out);
	if (shown < count)
		fprintf(page->out, "and %zu more: stint report --table %s\n", count - shown, base_id(rows, id));
}

/* Moves the tasks with a report to the front. Tasks that run or wait have none. Returns how many have a report. */
static size_t put_reported_first(struct summary *rows, size_t count)
{
	size_t reported = 0;

	for (size_t i = 0; i < count; i++) {
		struct summary row = rows[i];

		if (!row.path)
			continue;
		memmove(&rows[reported + 1], &rows[reported], (i - reported) * sizeof(*rows));
		rows[reported++] = row;
	}
	return reported;
}

int group_page_print(struct summary *rows, size_t count, const char *config, const struct page_options *options,
		     FILE *out, struct error *err)
{
	struct page page = { .options = options, .out = out };
	struct summary_table_sort by_id;
	struct error warning; /* find_rows() has already printed it */
	struct conf conf;
	size_t reported;

	if (conf_load_known(&conf, config, &warning, err) < 0)
		return -1;
	summary_table_read_sort("id", &by_id);
	summary_table_sort(rows, count, &by_id);
	reported = put_reported_first(rows, count);
	print_sentence(&page, rows, count);
	print_head(&page, rows, reported);
	print_states(&page, rows, count);
	print_bound(&page, rows, reported);
	print_findings(&page, rows, reported);
	if (reported)
		print_spread(&page, rows, reported);
	print_failed(&page, rows, count);
	if (rows[0].array >= 0) /* one advice does not fit all components of a heterogeneous job */
		group_print_advice(&page, rows, count, &conf);
	print_rows(&page, rows, count);
	return 0;
}

void group_page_print_attempts(const struct summary *rows, size_t count, const struct page_options *options, FILE *out)
{
	struct page page = { .options = options, .out = out };
	char elapsed[DURATION_TEXT];

	for (size_t i = 0; i < count; i++) {
		const struct summary *row = &rows[i];

		page_text(&page, "Attempt %lld: %s%s%s, after %s%s%.19s", (long long)row->attempt,
			  row->state ? row->state : "?", row->reason ? ", " : "", row->reason ? row->reason : "",
			  isnan(row->elapsed_s) ? "?" : short_duration_text(row->elapsed_s, elapsed),
			  row->start ? ", begun " : "", row->start ? row->start : "");
	}
	if (count > 0)
		fputc('\n', out);
}
