/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/workflow_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/text/summary_table.h"
#include "reports/wording/group_advice.h"
#include "reports/wording/spread.h"

#define MIB (1024.0 * 1024)
#define LINE_TEXT 512
#define CELL_TEXT 48
#define NAMED_SHOWN 8 /* the most jobs to name of those that did not complete */
#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* The jobs of one process, rule or group. Their rows are neighbours. */
struct unit {
	const struct summary *rows;
	size_t count, failed;
	struct spread elapsed, cpu, memory, peak; /* seconds; shares; shares; bytes */
	struct group_advices advices;
};

static void fill_unit(struct unit *unit, const struct conf *conf)
{
	for (size_t i = 0; i < unit->count; i++)
		unit->failed += summary_failed(&unit->rows[i]);
	unit->elapsed = spread_of(unit->rows, unit->count, summary_elapsed);
	unit->cpu = spread_of(unit->rows, unit->count, summary_cpu_efficiency);
	unit->memory = spread_of(unit->rows, unit->count, summary_memory_efficiency);
	unit->peak = spread_of(unit->rows, unit->count, summary_memory_used);
	group_advise(unit->rows, unit->count, conf, "job", &unit->advices);
	/*
	 * Nextflow and Snakemake cannot set --ntasks=1 together with CPUs.
	 * Without --ntasks=1, fewer CPUs for each task change nothing.
	 */
	if (unit->advices.one_task)
		unit->advices.cpus.value = NAN;
}

static bool same_unit(const struct summary *one, const struct summary *other)
{
	return one->unit && other->unit && strcmp(one->unit, other->unit) == 0 &&
	       strcmp(one->unit_kind, other->unit_kind) == 0 && strcmp(one->engine, other->engine) == 0;
}

static int compare_units(const void *a, const void *b)
{
	const struct summary *one = a, *other = b;
	int result;

	if (!one->unit || !other->unit)
		return !one->unit - !other->unit;
	result = strcmp(one->engine, other->engine);
	if (!result)
		result = strcmp(one->unit_kind, other->unit_kind);
	if (!result)
		result = strcmp(one->unit, other->unit);
	return result ? result : one->order < other->order ? -1 : one->order > other->order;
}

static int compare_first(const void *a, const void *b)
{
	const struct unit *one = a, *other = b;
	int result = strcmp(one->rows->engine, other->rows->engine);

	if (!result)
		result = strcmp(one->rows->unit_kind, other->rows->unit_kind);
	return result ? result : one->rows->order < other->rows->order ? -1 : 1;
}

/* Sorts @rows and groups them into units. Returns the units for free(); NULL if out of memory. */
static struct unit *find_units(struct summary *rows, size_t count, const struct conf *conf, size_t *units_count)
{
	struct unit *units = calloc(count + 1, sizeof(*units));

	*units_count = 0;
	if (!units)
		return NULL;
	for (size_t i = 0; i < count; i++)
		rows[i].order = i;
	if (count)
		qsort(rows, count, sizeof(rows[0]), compare_units);
	for (size_t i = 0; i < count && rows[i].unit; i++) {
		if (i == 0 || !same_unit(&rows[i - 1], &rows[i]))
			units[(*units_count)++].rows = &rows[i];
		units[*units_count - 1].count++;
	}
	for (size_t u = 0; u < *units_count; u++)
		fill_unit(&units[u], conf);
	if (*units_count)
		qsort(units, *units_count, sizeof(*units), compare_first);
	return units;
}

static const char *time_cell(double seconds, char text[CELL_TEXT])
{
	return isnan(seconds) ? PAGE_NO_VALUE : duration_text(seconds, text);
}

static const char *share_cell(double share, char text[CELL_TEXT])
{
	if (isnan(share))
		return PAGE_NO_VALUE;
	snprintf(text, CELL_TEXT, "%.1f%%", 100 * share);
	return text;
}

static void add_line(struct page *page, struct page_table *table, const struct unit *unit)
{
	char jobs[CELL_TEXT], failed[CELL_TEXT], texts[7][CELL_TEXT];
	const char *cells[] = {
		unit->rows->unit,
		jobs,
		failed,
		time_cell(unit->elapsed.median, texts[0]),
		time_cell(unit->elapsed.most, texts[1]),
		share_cell(unit->cpu.median, texts[2]),
		share_cell(unit->cpu.most, texts[3]),
		share_cell(unit->memory.median, texts[4]),
		share_cell(unit->memory.most, texts[5]),
		isnan(unit->peak.most) ? PAGE_NO_VALUE : short_size_text(unit->peak.most, texts[6]),
	};

	snprintf(jobs, sizeof(jobs), "%zu", unit->count);
	snprintf(failed, sizeof(failed), "%zu", unit->failed);
	page_table_add(page, table, cells, NULL);
	if (unit->failed)
		page_table_style(table, 2, STYLE_BAD);
}

static const char *title(const struct unit *unit)
{
	if (strcmp(unit->rows->engine, "nextflow") == 0)
		return "Nextflow process";
	return strcmp(unit->rows->unit_kind, "group") == 0 ? "Snakemake group" : "Snakemake rule";
}

static bool same_table(const struct unit *one, const struct unit *other)
{
	return strcmp(title(one), title(other)) == 0;
}

static size_t print_units(struct page *page, const struct unit *units, size_t count)
{
	const struct page_column columns[] = {
		{ .head = title(units) },	 { .head = "Jobs" },
		{ .head = "Failed" },		 { .head = "Elapsed" },
		{ .head = "Longest", .spare = 1 }, { .head = "CPUEff" },
		{ .head = "Most", .spare = 2 },	 { .head = "MemEff" },
		{ .head = "Most", .spare = 2 },	 { .head = "Peak" },
	};
	struct page_table table = PAGE_TABLE(columns);
	size_t i = 0;

	for (; i < count && same_table(units, &units[i]); i++)
		add_line(page, &table, &units[i]);
	page_table_print(page, &table);
	return i;
}

/* @between: printed first if the line already has a setting. */
static void append(char line[LINE_TEXT], const char *between, const char *before, double value, const char *behind)
{
	size_t used = strlen(line);

	if (!isnan(value))
		snprintf(line + used, LINE_TEXT - used, "%s%s%.0f%s", used ? between : "", before, value, behind);
}

static double mebibytes(const struct unit *unit)
{
	return ceil(unit->advices.memory.value / MIB);
}

static double minutes(const struct unit *unit)
{
	return ceil(unit->advices.time.value / 60);
}

/* Snakemake passes mem_mb on as --mem, which Slurm reads as MiB. */
static void paste_rule(FILE *out, const struct unit *unit)
{
	char line[LINE_TEXT] = "";

	append(line, ", ", "mem_mb=", mebibytes(unit), "");
	append(line, ", ", "runtime=", minutes(unit), "");
	fprintf(out, "rule %s:\n", unit->rows->unit);
	if (!isnan(unit->advices.cpus.value))
		fprintf(out, "    threads: %.0f\n", unit->advices.cpus.value);
	if (*line)
		fprintf(out, "    resources: %s\n", line);
}

/*
 * Nextflow's selectors are patterns for whole names.
 * A '_' in the job's name may have been a ':' in the process's name, so '.' is printed, which matches any character.
 */
static void paste_process(FILE *out, const struct unit *unit)
{
	cleanup_free char *pattern = strdup(unit->rows->unit);
	char line[LINE_TEXT] = "";

	for (char *c = pattern; c && *c; c++)
		*c = *c == '_' ? '.' : *c;
	append(line, "; ", "cpus = ", unit->advices.cpus.value, "");
	append(line, "; ", "memory = '", mebibytes(unit), " MB'");
	append(line, "; ", "time = '", minutes(unit), "m'");
	fprintf(out, "withName: '%s' { %s }\n", pattern ? pattern : "", line);
}

static void explain(struct page *page, const struct group_advice *advice, const char *comment)
{
	if (!isnan(advice->value))
		page_wrapped(page, &(struct page_wrap){ .first = comment, .next = comment, .style = STYLE_FAINT },
			     advice->reason);
}

/*
 * A group gets no advice, because it is not known how much each of its rules needs.
 * A name may be forged. It is printed for pasting only if it has only word characters.
 */
static bool has_advice(const struct unit *unit)
{
	const char *name = unit->rows->unit;

	return strcmp(unit->rows->unit_kind, "group") != 0 && name[strspn(name, WORD_CHARACTERS)] == '\0' &&
	       (!isnan(unit->advices.memory.value) || !isnan(unit->advices.cpus.value) ||
		!isnan(unit->advices.time.value));
}

static void print_advice(struct page *page, const struct unit *unit)
{
	bool nextflow = strcmp(unit->rows->engine, "nextflow") == 0;
	const char *comment = nextflow ? "// " : "    # ";

	if (!has_advice(unit))
		return;
	fputs(terminal_on(page->options, STYLE_ACCENT), page->out);
	if (nextflow)
		paste_process(page->out, unit);
	else
		paste_rule(page->out, unit);
	fputs(terminal_off(page->options), page->out);
	explain(page, &unit->advices.cpus, comment);
	explain(page, &unit->advices.memory, comment);
	explain(page, &unit->advices.time, comment);
}

static size_t count_others(const struct summary *rows, size_t count)
{
	size_t others = 0;

	for (size_t i = 0; i < count; i++)
		others += !rows[i].unit;
	return others;
}

static void print_ending(struct page *page, const struct summary *row)
{
	char id[SUMMARY_ID_TEXT], first[SUMMARY_ID_TEXT + 8];
	cleanup_free char *text = NULL;

	snprintf(first, sizeof(first), "  %s  ", summary_id(row, id));
	if (asprintf(&text, "%s%s%s%s: %s", row->unit, row->unit_which ? " (" : "", row->unit_which ? row->unit_which : "",
		     row->unit_which ? ")" : "", row->outcome ? row->outcome : row->state) < 0)
		text = NULL;
	if (text)
		page_wrapped(page, &(struct page_wrap){ .first = first }, text);
}

static void print_failed(struct page *page, const struct unit *units, size_t count)
{
	size_t all = 0, shown = 0, limit = page_limit(page, NAMED_SHOWN);

	for (size_t u = 0; u < count; u++)
		all += units[u].failed;
	if (all == 0)
		return;
	fprintf(page->out, "\n%sNot completed: %zu%s\n", terminal_on(page->options, STYLE_BAD), all,
		terminal_off(page->options));
	for (size_t u = 0; u < count; u++) {
		for (size_t i = 0; i < units[u].count && shown < limit; i++) {
			if (!summary_failed(&units[u].rows[i]))
				continue;
			print_ending(page, &units[u].rows[i]);
			shown++;
		}
	}
	if (shown < all)
		fprintf(page->out, "  and %zu more: --all shows all\n", all - shown);
}

void workflow_table_print(struct summary *rows, size_t count, const struct conf *conf,
			  const struct page_options *options, FILE *out)
{
	struct page page = { .options = options, .out = out };
	size_t units_count, others = count_others(rows, count), advised = 0;
	cleanup_free struct unit *units = find_units(rows, count, conf, &units_count);

	fprintf(out, "Jobs: %zu", count);
	if (others)
		fprintf(out, ", %zu of no known process or rule", others);
	fputc('\n', out);
	for (size_t u = 0; units && u < units_count;)
		u += print_units(&page, &units[u], units_count - u);
	if (units_count)
		page_wrapped(&page, &(struct page_wrap){ .first = "" },
			     "Elapsed, CPUEff and MemEff are medians; Longest, Most and Peak are the most of one job.");
	if (units)
		print_failed(&page, units, units_count);
	for (size_t u = 0; units && u < units_count; u++)
		advised += has_advice(&units[u]);
	if (advised)
		page_head(&page, "Advice that fits all jobs of a process or rule, to paste into the workflow");
	for (size_t u = 0; units && u < units_count; u++)
		print_advice(&page, &units[u]);
}

void workflow_table_print_advice(struct summary *rows, size_t count, const struct conf *conf,
				 const struct page_options *options, FILE *out)
{
	struct page page = { .options = options, .out = out };
	size_t units_count;
	cleanup_free struct unit *units = find_units(rows, count, conf, &units_count);

	for (size_t u = 0; units && u < units_count; u++)
		print_advice(&page, &units[u]);
}

static void put_number(struct json_object *object, const char *name, double value)
{
	if (isnan(value) || isinf(value))
		put_null(object, name);
	else
		put_ratio(object, name, value);
}

static void put_whole(struct json_object *object, const char *name, double value)
{
	if (isnan(value) || !(value < 9e15))
		put_null(object, name);
	else
		put_count(object, name, llround(value));
}

static void put_failed(struct json_object *object, const struct unit *unit)
{
	struct json_object *list = put_array(object, "not_completed_jobs");
	char id[SUMMARY_ID_TEXT];

	for (size_t i = 0; i < unit->count; i++)
		if (summary_failed(&unit->rows[i]))
			json_object_array_add(list, json_object_new_string(summary_id(&unit->rows[i], id)));
}

static struct json_object *object_of(const struct unit *unit)
{
	struct json_object *object = json_object_new_object();
	const struct summary none = { 0 }, *row = unit->rows ? unit->rows : &none;

	put_text(object, "engine", row->engine ? row->engine : "");
	put_text(object, "kind", row->unit_kind ? row->unit_kind : "");
	put_text(object, "name", row->unit ? row->unit : "");
	put_count(object, "jobs", (int64_t)unit->count);
	put_count(object, "not_completed", (int64_t)unit->failed);
	put_failed(object, unit);
	put_number(object, "elapsed_median_s", unit->elapsed.median);
	put_number(object, "elapsed_max_s", unit->elapsed.most);
	put_number(object, "cpu_efficiency_median", unit->cpu.median);
	put_number(object, "cpu_efficiency_max", unit->cpu.most);
	put_number(object, "memory_efficiency_median", unit->memory.median);
	put_number(object, "memory_efficiency_max", unit->memory.most);
	put_whole(object, "memory_used_peak_bytes", unit->peak.most);
	put_whole(object, "advised_cpus", unit->advices.cpus.value);
	put_whole(object, "advised_memory_bytes", unit->advices.memory.value);
	put_whole(object, "advised_time_limit_s", unit->advices.time.value);
	return object;
}

void workflow_table_print_json(struct summary *rows, size_t count, const struct conf *conf, FILE *out)
{
	size_t units_count;
	cleanup_free struct unit *units = find_units(rows, count, conf, &units_count);

	fputs("[", out);
	for (size_t u = 0; units && u < units_count; u++) {
		cleanup_json struct json_object *object = object_of(&units[u]);

		summary_table_print_object(object, u, out);
	}
	fputs(units_count ? "\n]\n" : "]\n", out);
}

void workflow_table_print_csv(struct summary *rows, size_t count, const struct conf *conf, FILE *out)
{
	static const struct unit none;
	size_t units_count;
	cleanup_free struct unit *units = find_units(rows, count, conf, &units_count);
	cleanup_json struct json_object *head = object_of(&none);

	summary_table_print_csv_line(head, true, out);
	for (size_t u = 0; units && u < units_count; u++) {
		cleanup_json struct json_object *object = object_of(&units[u]);

		summary_table_print_csv_line(object, false, out);
	}
}
