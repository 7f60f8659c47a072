/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report file, which any user can write, in the form that "stint report" shows to another user. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf.h"
#include "common/escape.h"
#include "reports/builder/workflow.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "reports/text/group_page.h"
#include "reports/text/summary_table.h"
#include "reports/text/workflow_table.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fuzz.h"

static void complain(const struct error *err)
{
	char shown[sizeof(err->text) * 4 + 1];

	escape_text(err->text, shown, sizeof(shown));
	HOLDS(shown[0]);
	HOLDS_OF(fuzz_is_shown_safely(shown, strlen(shown)), shown);
}

/* What @print writes of the row can go to a terminal, and is no wider than the page. */
static void check_table(struct summary *row, const struct page_options *options)
{
	struct error err = { "" };
	char *text = NULL, *rest, *line;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	HOLDS(out);
	summary_table_print(row, 1, options, out);
	if (row->array >= 0)
		HOLDS(group_page_print(row, 1, "/dev/null", options, out, &err) == 0);
	group_page_print_attempts(row, 1, options, out);
	HOLDS(fclose(out) == 0);
	HOLDS_OF(fuzz_is_shown_safely(text, len), text);
	for (rest = text; (line = strsep(&rest, "\n"));)
		HOLDS_OF(escape_width(line) <= (size_t)options->width || strncmp(line, "#SBATCH", 7) == 0, line);
	free(text);
}

/* The table with the job as one of a rule's jobs; lines to paste may be of any length. */
static void check_by_rule(struct summary *row, const struct page_options *options)
{
	struct conf conf;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	HOLDS(out);
	conf_defaults(&conf);
	workflow_table_print(row, 1, &conf, options, out);
	HOLDS(fclose(out) == 0);
	HOLDS_OF(fuzz_is_shown_safely(text, len), text);
	free(text);
}

/* The report's names, used as Slurm's answer about a job. */
static void check_workflow(struct json_object *report)
{
	struct json_object *job = json_object_new_object(), *told = field_typed(report, "job", json_type_object);

	put_copy(job, "name", field_find(told, "name"));
	put_copy(job, "work_dir", field_find(told, "work_dir"));
	workflow_put(job, told);
	json_object_put(job);
}

static void check_rows(const char *file)
{
	static const struct page_options wide = { .width = TERMINAL_WIDTH, .unicode = true };
	static const struct page_options narrow = { .width = TERMINAL_WIDTH_MIN, .all = true };
	struct summary row;
	char *text = NULL;
	size_t len;
	FILE *out;

	summary_read(&row, file);
	if (!row.error) {
		out = open_memstream(&text, &len);
		HOLDS(out);
		summary_table_print_json(&row, 1, out);
		HOLDS(fclose(out) == 0);
		HOLDS_OF(fuzz_is_json(text, len) && fuzz_is_shown_safely(text, len), text);
		free(text);
		out = open_memstream(&text, &len);
		HOLDS(out);
		summary_table_print_csv(&row, 1, out);
		HOLDS(fclose(out) == 0);
		free(text);
		check_table(&row, &wide);
		check_table(&row, &narrow);
		check_by_rule(&row, &narrow);
	}
	summary_free(&row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { "" };
	char *text = NULL;
	const char *file = fuzz_file(0, data, size);
	struct json_object *report = report_load(file, &text, &err);

	if (report) {
		struct json_object *brief = report_load_brief(file, &err);

		built_check_page(report);
		check_workflow(report);
		HOLDS(brief);
		built_check_same_page(report, brief);
		json_object_put(brief);
		HOLDS(strlen(text) <= size);
	} else {
		complain(&err);
	}
	check_rows(file);
	json_object_put(report);
	free(text);
	return 0;
}
