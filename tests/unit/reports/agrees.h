/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a job's report with the report and the row that the store makes of the job's lines.
 * Compares findings, verdict, advice, and the numbers of efficiency and memory.
 *
 * Include this after cmocka.h. asserts.h calls it for each report that a test builds.
 */
#ifndef STINT_AGREES_H
#define STINT_AGREES_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/builder/build_report.h"
#include "reports/records/record.h"
#include "reports/rules/facts.h"
#include "reports/site/job_row.h"
#include "reports/store/store_line.h"
#include "tests/unit/reports/record_like.h"

#define AGREES_RECORDS 64
#define AGREES_TEXT 8192
#define AGREES_ROUNDING 1e-12 /* the store adds up the points of a series in another order */

struct agrees_found {
	char text[AGREES_TEXT];
};

static inline void agrees_differ(struct agrees_found *found, const char *what, const char *name, const char *one, const char *other)
{
	size_t used = strlen(found->text);

	snprintf(found->text + used, sizeof(found->text) - used, "%s: %s is %s by the records, and %s\n", what, name, one ? one : "missing",
		 other ? other : "missing");
}

static inline void agrees_text(struct agrees_found *found, const char *what, const char *name, const char *one, const char *other)
{
	if (one && other ? strcmp(one, other) != 0 : one != other)
		agrees_differ(found, what, name, one, other);
}

static inline void agrees_number(struct agrees_found *found, const char *what, const char *name, double one, double other)
{
	char text[2][32];

	if (fabs(one - other) <= AGREES_ROUNDING * fabs(one) || (isnan(one) && isnan(other)))
		return;
	snprintf(text[0], sizeof(text[0]), "%.9g", one);
	snprintf(text[1], sizeof(text[1]), "%.9g", other);
	agrees_differ(found, what, name, text[0], text[1]);
}

static inline const struct report_finding *agrees_find(const struct report *report, const char *code)
{
	for (size_t i = 0; i < report->findings.count; i++)
		if (report_text_is(report->findings.items[i].code, code))
			return &report->findings.items[i];
	return NULL;
}

static inline void agrees_findings(struct agrees_found *found, const char *what, const struct report *one, const struct report *other)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++) {
		const char *code = finding_rules[f].code;
		const struct report_finding *a = agrees_find(one, code), *b = agrees_find(other, code);

		if (!a != !b)
			agrees_differ(found, what, code, a ? "found" : NULL, b ? "found" : NULL);
		else if (a)
			agrees_text(found, what, code, a->severity, b->severity);
	}
}

static inline void agrees_advice(struct agrees_found *found, const char *what, const struct report *one, const struct report *other)
{
	size_t count = one->advice.count > other->advice.count ? one->advice.count : other->advice.count;

	for (size_t i = 0; i < count; i++) {
		const struct report_advice *a = i < one->advice.count ? &one->advice.items[i] : NULL;
		const struct report_advice *b = i < other->advice.count ? &other->advice.items[i] : NULL;

		agrees_text(found, what, "advice", a ? a->line : NULL, b ? b->line : NULL);
	}
}

#define AGREES_COUNT(member) agrees_number(found, what, #member, (double)one->member, (double)other->member)
#define AGREES_RATIO(member) agrees_number(found, what, #member, one->member, other->member)
#define AGREES_TIME(member) agrees_number(found, what, #member, report_s(one->member), report_s(other->member))

static inline void agrees_gpus(struct agrees_found *found, const char *what, const struct report_gpu_list *some,
			       const struct report_gpu_list *others)
{
	agrees_number(found, what, "gpus known", some->known, others->known);
	agrees_number(found, what, "gpus", (double)some->count, (double)others->count);
	for (size_t i = 0; i < some->count && i < others->count; i++) {
		const struct report_gpu *one = &some->items[i], *other = &others->items[i];

		agrees_text(found, what, "node", one->node, other->node);
		agrees_text(found, what, "vendor", one->vendor, other->vendor);
		agrees_text(found, what, "model", one->model, other->model);
		agrees_text(found, what, "busy_source", one->busy_source, other->busy_source);
		AGREES_COUNT(minor);
		agrees_number(found, what, "slice", one->slice, other->slice);
		AGREES_COUNT(gpu_instance);
		AGREES_RATIO(busy_share);
		AGREES_TIME(busy_known_s);
		AGREES_TIME(busy_covered_s);
		AGREES_RATIO(sm_share);
		AGREES_RATIO(energy_j);
		AGREES_COUNT(memory_total_bytes);
		AGREES_COUNT(memory_peak_bytes);
		AGREES_COUNT(job_memory_peak_bytes);
		AGREES_COUNT(xid_errors);
		AGREES_TIME(throttled_heat_s);
		AGREES_TIME(throttled_power_s);
	}
}

static inline void agrees_reports(struct agrees_found *found, const struct report *one, const struct report *other)
{
	static const char what[] = "the report of lines";

	agrees_text(found, what, "verdict", one->verdict.bound, other->verdict.bound);
	AGREES_RATIO(verdict.share);
	agrees_findings(found, what, one, other);
	agrees_advice(found, what, one, other);
	AGREES_RATIO(used.cpu_efficiency);
	AGREES_RATIO(used.cpu_wasted_core_hours);
	AGREES_RATIO(used.cores_busy);
	AGREES_RATIO(used.memory_efficiency);
	AGREES_RATIO(used.memory_wasted_gib_hours);
	AGREES_COUNT(used.memory_used_peak_bytes);
	AGREES_COUNT(used.memory_used_peak_upper_bytes);
	AGREES_COUNT(used.memory_charged_peak_bytes);
	AGREES_COUNT(used.memory_mapped_peak_bytes);
	AGREES_COUNT(used.memory_swap_peak_bytes);
	AGREES_COUNT(used.oom_kills);
	AGREES_COUNT(requested.memory_bytes);
	AGREES_COUNT(allocated.memory_bytes);
	AGREES_COUNT(allocated.gpus);
	AGREES_RATIO(allocated.gpu_hours);
	agrees_gpus(found, what, &one->gpus, &other->gpus);
	AGREES_TIME(used.cpu_s);
	AGREES_TIME(job.elapsed_s);
	agrees_text(found, what, "state", one->job.state, other->job.state);
	AGREES_COUNT(job.exit_code);
	AGREES_COUNT(complete.value);
}

static inline void agrees_rows(struct agrees_found *found, const char *what, const struct job_row *one, const struct job_row *other)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if ((one->findings ^ other->findings) & UINT64_C(1) << f)
			agrees_differ(found, what, finding_rules[f].code, one->findings & UINT64_C(1) << f ? "found" : NULL,
				      other->findings & UINT64_C(1) << f ? "found" : NULL);
	agrees_text(found, what, "verdict", bound_word(one->verdict), bound_word(other->verdict));
	agrees_text(found, what, "state", one->state, other->state);
	agrees_text(found, what, "how", job_end_names[one->how], job_end_names[other->how]);
	for (enum job_measure m = 0; m < JOB_MEASURE_COUNT; m++)
		agrees_number(found, what, job_measure_names[m], (double)one->measure[m], (double)other->measure[m]);
	agrees_text(found, what, "GPU model", one->gpu_model, other->gpu_model);
	AGREES_COUNT(allocated_gpus);
	AGREES_COUNT(memory_used_peak_bytes);
	AGREES_COUNT(cpu_efficiency_ppm);
	AGREES_COUNT(memory_efficiency_ppm);
	AGREES_COUNT(requested_memory_bytes);
	AGREES_COUNT(allocated_memory_bytes);
	AGREES_COUNT(requested_cpus);
	AGREES_COUNT(allocated_cpus);
	AGREES_COUNT(allocated_cores);
	AGREES_COUNT(nodes_expected);
	AGREES_COUNT(nodes_present);
	AGREES_COUNT(exit_code);
	AGREES_COUNT(signal);
	AGREES_COUNT(complete);
	AGREES_COUNT(start_us);
	AGREES_COUNT(end_us);
}

static inline void agrees_make(const struct report *report, struct job_row *row)
{
	struct error err = { "" };

	if (job_row_from_report(report, row, &err) < 0)
		fail_msg("%s", err.text);
}

static inline void agrees_make_row(const struct build_input *input, struct job_row *row)
{
	struct build_input of_row = *input;
	cleanup_report struct report *report = NULL;
	struct error err = { "" };
	struct facts facts;
	struct rules rules;

	rules_defaults(&rules);
	of_row.rules = of_row.rules ? of_row.rules : &rules;
	of_row.for_row = &facts;
	report = build_report(&of_row);
	assert_non_null(report);
	if (job_row_from_facts(&facts, row, &err) < 0)
		fail_msg("%s", err.text);
}

static inline struct store_line agrees_line(const struct record *record, const struct record_slurm_job *slurm)
{
	struct error err = { "" };
	struct store_line line = { 0 };
	size_t len;
	cleanup_free char *text = store_line_make(record, slurm, true, &len, &err);

	if (!text || store_line_read(text, len, "line", &line, &err) < 0)
		fail_msg("%s", err.text);
	return line;
}

/* Lists in @found what differs between @report, built of @input, and what the store makes of @input. */
static inline void agrees_compare(const struct build_input *input, const struct report *report, struct agrees_found *found)
{
	struct store_line lines[AGREES_RECORDS];
	const struct record *records[AGREES_RECORDS];
	struct build_input of_lines = *input;
	struct job_row row, of_records, stored;
	struct report *other;

	found->text[0] = '\0';
	for (size_t i = 0; i < input->record_count; i++) {
		lines[i] = agrees_line(input->records[i], i ? NULL : input->slurm);
		records[i] = lines[i].record;
	}
	of_lines.records = records;
	of_lines.slurm = input->slurm ? &records[0]->slurm_job : NULL;
	other = build_report(&of_lines);
	assert_non_null(other);
	agrees_reports(found, report, other);
	agrees_make(report, &row);
	agrees_make_row(input, &of_records);
	agrees_rows(found, "the row of records", &row, &of_records);
	agrees_make_row(&of_lines, &stored);
	agrees_rows(found, "the row of lines", &row, &stored);
	job_row_free(&row);
	job_row_free(&of_records);
	job_row_free(&stored);
	report_free(other);
	for (size_t i = 0; i < input->record_count; i++)
		store_line_free(&lines[i]);
}

static inline void assert_agrees(const struct build_input *input, const struct report *report)
{
	struct agrees_found found;

	if (!report || input->running || input->record_count > AGREES_RECORDS)
		return;
	agrees_compare(input, report, &found);
	if (found.text[0])
		fail_msg("%s", found.text);
}

/* Compares records like those of @report, by the default rules, and by rules that judge short jobs. */
static inline void assert_like_agrees(const struct report *report)
{
	struct rules rules[2];
	struct like like;

	rules_defaults(&rules[0]);
	rules_defaults(&rules[1]);
	rules[1].value[RULE_ADVICE_ELAPSED] = rules[1].value[RULE_FINDING_ELAPSED] = 1;
	for (size_t i = 0; like_make(report, &like) && i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct build_input input = { .records = like.list, .record_count = like.count, .slurm = &like.slurm,
						   .rules = &rules[i], .now_unix_ns = INT64_C(1900000000) * NS_PER_S };
		struct report *built = build_report(&input);

		assert_agrees(&input, built);
		report_free(built);
		like_free(&like);
	}
	like_free(&like);
}

#endif
