/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes a report file, which any user can write, as "stint report" shows it to another user. */
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

/* What @print writes must be safe for a terminal, and no wider than the page. */
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

/* Lines to paste may be of any length. */
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

static void check_workflow(const char *text)
{
	struct json_object *json = field_parse(text, strlen(text), "report", json_type_object, NULL);
	struct json_object *told = field_typed(json, "job", json_type_object);
	char *said = told ? strdup(json_object_to_json_string(told)) : NULL;
	struct slurm_answer *answer = said ? slurm_answer_read(said, strlen(said), "slurm", NULL) : NULL;
	const struct record_slurm_job *job = slurm_job_or_unknown(slurm_answer_job(answer));
	struct report *report = report_new(NULL);

	HOLDS(report);
	report->job.name = job->name;
	report->job.work_dir = job->work_dir;
	workflow_put(report, job);
	report_free(report);
	slurm_answer_free(answer);
	json_object_put(json);
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
	struct report *report = report_load(file, &text, &err);

	if (report) {
		struct report *brief = report_load_parts(file, REPORT_PARTS_BRIEF, &err);

		built_check_page(report);
		check_workflow(text);
		HOLDS(brief);
		built_check_same_page(report, brief);
		report_free(brief);
		HOLDS(strlen(text) <= size);
	} else {
		complain(&err);
	}
	check_rows(file);
	report_free(report);
	free(text);
	return 0;
}
