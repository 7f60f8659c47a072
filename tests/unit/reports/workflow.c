/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a job's workflow is known by the names in the engines' own sources, and never guessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/error.h"
#include "reports/builder/workflow.h"
#include "reports/json/field.h"
#include "tests/unit/reports/report_case.h"

#define UUID "3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b"
#define HASH_DIR "/scratch/run/work/ab/cdef0123456789abcdef0123456789"
#define LOGS "/home/u/run/.snakemake/slurm_logs/"

struct told {
	const char *name, *work_dir, *command, *std_out, *comment;
	bool array;
	const char *workflow; /* as JSON; NULL: absent */
	const char *text;     /* of the page */
};

static const struct told cases[] = {
	/* Nextflow */
	{ .name = "nf-NFCORE_RNASEQ_RNASEQ_ALIGN_STAR_(SAMPLE1)",
	  .work_dir = HASH_DIR,
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"NFCORE_RNASEQ_RNASEQ_ALIGN_STAR\",\"tag\":\"SAMPLE1\"}",
	  .text = "Nextflow process NFCORE_RNASEQ_RNASEQ_ALIGN_STAR, SAMPLE1" },
	{ .name = "nf-sayHello_(3)",
	  .work_dir = HASH_DIR,
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"sayHello\",\"tag\":\"3\"}" },
	{ .name = "nf-FASTQC", .work_dir = HASH_DIR, .workflow = "{\"engine\":\"nextflow\",\"process\":\"FASTQC\"}",
	  .text = "Nextflow process FASTQC" },
	{ .name = "nf-ALIGN_(a_(b)_on_chr1)",
	  .work_dir = HASH_DIR,
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"ALIGN\",\"tag\":\"a_(b)_on_chr1\"}" },
	{ .name = "nf-ALIGN_(1)", .work_dir = HASH_DIR, .array = true,
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"ALIGN\"}" },
	/* a name of the site's own (executor.jobName), and the engine's directory */
	{ .name = "ALIGN_S1", .work_dir = HASH_DIR, .command = HASH_DIR "/.command.run",
	  .workflow = "{\"engine\":\"nextflow\"}", .text = "Nextflow" },
	{ .name = "ALIGN_(S1)", .work_dir = HASH_DIR, .command = HASH_DIR "/.command.run",
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"ALIGN\",\"tag\":\"S1\"}" },
	{ .name = "PREP:ALIGN (a (b))", .work_dir = HASH_DIR, .command = HASH_DIR "/.command.run",
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"PREP:ALIGN\",\"tag\":\"a (b)\"}", .text = "Nextflow process PREP:ALIGN, a (b)" },
	{ .name = "PREP:ALIGN (1)", .work_dir = HASH_DIR, .command = HASH_DIR "/.command.run", .array = true,
	  .workflow = "{\"engine\":\"nextflow\",\"process\":\"PREP:ALIGN\"}" },
	{ .name = "run7-ALIGN (S1)", .work_dir = HASH_DIR, .command = HASH_DIR "/.command.run",
	  .workflow = "{\"engine\":\"nextflow\"}" },
	{ .name = "nf-odd-name", .work_dir = HASH_DIR, .workflow = "{\"engine\":\"nextflow\"}" },
	{ .name = "nf-ALIGN_(S1)", .work_dir = "/scratch/run" },
	{ .name = "nf-ALIGN_(S1)", .work_dir = "/scratch/run/work/ab/cdef" },
	{ .name = "mine", .work_dir = HASH_DIR },
	{ .name = "nf-ALIGN_(S1)" },
	/* Snakemake 8 and later */
	{ .name = UUID, .std_out = LOGS "rule_align/A_1/77.log", .comment = "rule_align_wildcards_A_1",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\",\"wildcards\":\"A_1\"}",
	  .text = "Snakemake rule align, A_1" },
	{ .name = UUID, .std_out = LOGS "rule_x_wildcards_y/A/77.log", .comment = "rule_x_wildcards_y_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"x_wildcards_y\",\"wildcards\":\"A\"}" },
	{ .name = UUID, .std_out = LOGS "rule_call/a/b/77.log",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"call\",\"wildcards\":\"a/b\"}" },
	{ .name = UUID, .std_out = LOGS "rule_all_in_one/77.log", .comment = "rule_all_in_one",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"all_in_one\"}", .text = "Snakemake rule all_in_one" },
	{ .name = UUID, .std_out = LOGS "group_prep/77.log", .comment = "rule_prep",
	  .workflow = "{\"engine\":\"snakemake\",\"group\":\"prep\"}", .text = "Snakemake group prep" },
	{ .name = UUID, .std_out = LOGS "rule_align/A/77_1.log", .comment = "rule_align_wildcards_A", .array = true,
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\"}" },
	/* its logs elsewhere */
	{ .name = UUID, .std_out = "/logs/rule_based/rule_align/A/77.log", .comment = "rule_align_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\",\"wildcards\":\"A\"}" },
	{ .name = UUID, .std_out = "/logs/group_prep/77.log", .comment = "rule_prep",
	  .workflow = "{\"engine\":\"snakemake\",\"group\":\"prep\"}" },
	{ .name = "run7_" UUID, .std_out = "/logs/rule_align/A/77.log", .comment = "rule_align_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\",\"wildcards\":\"A\"}" },
	{ .name = "run7_" UUID, .std_out = "/logs/rule_align/77_1.log", .comment = "rule_align", .array = true,
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\"}" },
	{ .name = "run7" UUID, .std_out = "/logs/rule_align/A/77.log", .comment = "rule_align_wildcards_A" },
	{ .name = UUID, .std_out = "/logs/77.log", .comment = "rule_align_wildcards_A" },
	{ .name = UUID, .std_out = "/logs/rule_sort/77.log", .comment = "rule_align_wildcards_A" },
	{ .name = "mine", .std_out = "/logs/rule_align/A/77.log", .comment = "rule_align_wildcards_A" },
	{ .name = UUID },
	{ .name = "mine", .comment = "rule_align_wildcards_A" },
	/* --slurm of 7: no wildcards but those that the rule's slurm_extra writes */
	{ .name = "snakejob_align_2", .std_out = LOGS "rule_align/77.log",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\"}" },
	{ .name = "snakejob_align_2", .std_out = LOGS "rule_align/77.log", .comment = "rule_align_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\",\"wildcards\":\"A\"}" },
	{ .name = "snakejob_align_2", .std_out = LOGS "rule_align/77.log", .comment = "rule_sort_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\"}" },
	{ .name = "snakejob_align_2", .std_out = "/home/u/run/77.log" },
	/* --cluster */
	{ .name = "snakejob.align_pairs.12.sh",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align_pairs\"}" },
	{ .name = "smk-align-A", .command = "/home/u/run/.snakemake/tmp.k3x_9/snakejob.align.12.sh",
	  .comment = "rule_align_wildcards_A",
	  .workflow = "{\"engine\":\"snakemake\",\"rule\":\"align\",\"wildcards\":\"A\"}" },
	{ .name = "smk", .command = "/home/u/snakejob.align.12.sh" },
	{ .name = "snakejob.prep." UUID ".sh" },
	{ .name = "my.snakejob.align.12.sh" },
	/* nothing of the kind */
	{ .name = "align", .work_dir = "/home/u", .command = "/home/u/run.sh", .std_out = "/home/u/slurm-1.out" },
	{ 0 },
};

static struct report *report_told(const struct told *told)
{
	struct record_slurm_job slurm;
	struct report *report = report_new(NULL);

	assert_non_null(report);
	report->job.known = true;
	report->job.name = told->name;
	report->job.work_dir = told->work_dir;
	report->job.array_job_id = told->array ? 76 : REPORT_NONE;
	slurm_job_forget(&slurm);
	slurm.command = told->command;
	slurm.std_out = told->std_out;
	slurm.comment = told->comment;
	workflow_put(report, &slurm);
	return report;
}

static void each_engines_names_are_understood(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_report struct report *report = report_told(&cases[i]);
		cleanup_json struct json_object *json = report_objects(report);
		struct json_object *workflow = field_find(json, "job.workflow");
		const char *shown = workflow ? json_object_to_json_string_ext(workflow, JSON_C_TO_STRING_NOSLASHESCAPE) : NULL;
		char text[256];

		print_message("%zu: %s\n", i, cases[i].name ? cases[i].name : "-");
		if (!cases[i].workflow) {
			assert_null(shown);
			assert_false(workflow_text(report, text, sizeof(text)));
			continue;
		}
		assert_non_null(shown);
		assert_string_equal(shown, cases[i].workflow);
		assert_true(workflow_text(report, text, sizeof(text)));
		if (cases[i].text)
			assert_string_equal(text, cases[i].text);
	}
}

/* Nextflow cuts names at 256 characters: a tag or a process without its end is left out. */
static void a_name_that_was_cut_tells_what_is_whole_alone(void **state)
{
	cleanup_report struct report *tag = NULL, *process = NULL;
	struct told told = { .work_dir = HASH_DIR };
	char name[257] = "nf-ALIGN_(";

	(void)state;
	memset(name + strlen(name), 'x', 256 - strlen(name));
	name[255] = ')'; /* one that stood within the tag */
	told.name = name;
	tag = report_told(&told);
	assert_string_equal(tag->job.workflow.process, "ALIGN");
	assert_null(tag->job.workflow.tag);
	memset(name + 3, 'P', 253);
	process = report_told(&told);
	assert_string_equal(process->job.workflow.engine, "nextflow");
	assert_null(process->job.workflow.process);
}

static void names_without_end_are_none(void **state)
{
	static char name[10000], log[10000];
	const struct told told = { .name = name, .std_out = log, .comment = name };

	(void)state;
	memset(name, 'r', sizeof(name) - 1);
	memset(log, '/', sizeof(log) - 1);
	cleanup_report struct report *report = report_told(&told);
	assert_false(report->job.workflow.known);
}

static void what_slurm_does_not_tell_is_not_needed(void **state)
{
	cleanup_report struct report *report = report_new(NULL);

	(void)state;
	assert_non_null(report);
	workflow_put(report, NULL);
	assert_false(report->job.workflow.known);
	report->job.name = "nf-ALIGN";
	report->job.work_dir = HASH_DIR;
	workflow_put(report, NULL);
	assert_string_equal(report->job.workflow.process, "ALIGN");
}

static void a_unit_has_its_kind(void **state)
{
	cleanup_report struct report *report = report_told(&(struct told){ .name = "snakejob.align.1.sh" });
	cleanup_report struct report *none = report_told(&(struct told){ .name = "align" });
	const char *kind = NULL;

	(void)state;
	assert_string_equal(workflow_unit(report, &kind), "align");
	assert_string_equal(kind, "rule");
	assert_null(workflow_unit(none, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_engines_names_are_understood),
		cmocka_unit_test(a_name_that_was_cut_tells_what_is_whole_alone),
		cmocka_unit_test(names_without_end_are_none),
		cmocka_unit_test(what_slurm_does_not_tell_is_not_needed),
		cmocka_unit_test(a_unit_has_its_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
