/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the tables of GPUs: those that Slurm allocated, and what those did on which processes of the job were seen. */
#include <math.h>

#include "reports/html/html_internal.h"
#include "reports/json/units.h"
#include "reports/wording/gpu_fields.h"

#define ROWS_MAX 300

/* ---- cells ---- */

/* Prints the reason for a number that is not known, if the report has it. */
static void absent_cell(const struct report_gpu *gpu, const char *name, FILE *out)
{
	const char *reason = gpu_absent_reason(gpu, name);

	if (!reason) {
		html_unknown_cell(out);
		return;
	}
	fputs("<td class=\"n unknown\">-<span class=\"why\">", out);
	html_text(out, reason);
	fputs("</span></td>", out);
}

static void gpu_marks(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;

	(void)report;
	if (!gpu->model)
		fprintf(out, " <span class=\"by\">%s</span>", report_text_is(gpu->vendor, "amd") ? "AMD" : "NVIDIA");
	if (gpu->slice)
		fputs(" <span class=\"by\">slice (MIG)</span>", out);
}

static void number_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;
	char text[GPU_TEXT];

	(void)report;
	if (gpu_number_text(gpu, text))
		fprintf(out, "<td class=\"n\" data-v=\"%lld\">%s</td>", (long long)gpu->minor, text);
	else
		html_unknown_cell(out);
}

static void busy_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;
	char text[GPU_TEXT];
	const char *sampled = gpu_sampled_text(gpu, text);

	(void)report;
	if (!(gpu->busy_share >= 0)) {
		absent_cell(gpu, "busy_share", out);
		return;
	}
	fprintf(out, "<td class=\"n share\" data-v=\"%.6f\">", gpu->busy_share);
	html_bar(out, gpu->busy_share);
	fprintf(out, "<span>%.1f %%</span>", 100 * gpu->busy_share);
	if (sampled)
		fprintf(out, "<span class=\"why\">%s</span>", sampled);
	fputs("</td>", out);
}

static void sm_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;

	(void)report;
	if (gpu->sm_share >= 0)
		fprintf(out, "<td class=\"n\" data-v=\"%.6f\">%.1f %%</td>", gpu->sm_share, 100 * gpu->sm_share);
	else
		absent_cell(gpu, "sm_share", out);
}

static void peak_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;
	char peak[SIZE_TEXT], total[SIZE_TEXT];

	(void)report;
	if (gpu->job_memory_peak_bytes < 0) {
		absent_cell(gpu, "job_memory_peak_bytes", out);
		return;
	}
	fprintf(out, "<td class=\"n\" data-v=\"%lld\">%s", (long long)gpu->job_memory_peak_bytes,
		size_text((double)gpu->job_memory_peak_bytes, peak));
	if (gpu->memory_total_bytes >= 0)
		fprintf(out, "<span class=\"why\">of %s</span>", size_text((double)gpu->memory_total_bytes, total));
	fputs("</td>", out);
}

static void energy_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;
	char text[GPU_TEXT];

	(void)report;
	if (gpu_energy_text(gpu->energy_j, text))
		fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s</td>", gpu->energy_j, text);
	else
		absent_cell(gpu, "energy_j", out);
}

static void errors_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu *gpu = row;

	(void)report;
	if (gpu->xid_errors < 0) {
		absent_cell(gpu, "xid_errors", out);
		return;
	}
	fprintf(out, "<td class=\"n%s\" data-v=\"%lld\">%lld", gpu->xid_errors ? " bad" : "", (long long)gpu->xid_errors,
		(long long)gpu->xid_errors);
	for (size_t i = 0; i < gpu->xids.count; i++)
		fprintf(out, "<span class=\"why\">XID %lld: %lld</span>", (long long)gpu->xids.items[i].xid,
			(long long)gpu->xids.items[i].count);
	fputs("</td>", out);
}

static void indexes_cell(const struct report *report, const void *row, FILE *out)
{
	const struct report_gpu_allocated *gpus = row;

	(void)report;
	if (gpus->indexes.count == 0) {
		html_unknown_cell(out);
		return;
	}
	fprintf(out, "<td class=\"n\" data-v=\"%lld\">", (long long)gpus->indexes.items[0]);
	for (size_t i = 0; i < gpus->indexes.count; i++)
		fprintf(out, "%s%lld", i ? ", " : "", (long long)gpus->indexes.items[i]);
	fputs("</td>", out);
}

/* ---- the tables ---- */

static void print_used(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(gpu, "GPU", HTML_TEXT, model, .print = gpu_marks),
		HTML_COLUMN(gpu, "Node", HTML_TEXT, node),
		{ .head = "Number", .kind = HTML_NUMBER, .print = number_cell },
		{ .head = "Busy", .kind = HTML_NUMBER, .print = busy_cell },
		{ .head = "SMs", .kind = HTML_NUMBER, .print = sm_cell },
		{ .head = "Peak memory", .kind = HTML_NUMBER, .print = peak_cell },
		{ .head = "Energy", .kind = HTML_NUMBER, .print = energy_cell },
		{ .head = "Errors", .kind = HTML_NUMBER, .print = errors_cell },
		HTML_COLUMN(gpu, "Slowed by heat", HTML_TIME, throttled_heat_s, .rare = true),
		HTML_COLUMN(gpu, "Slowed by power limit", HTML_TIME, throttled_power_s, .rare = true),
	};
	struct html_table table = { .id = "gpus", .title = "GPUs", .report = report, HTML_COLUMNS(columns),
				    HTML_ROWS(&report->gpus), .max = ROWS_MAX,
				    .note = "The GPUs on which processes of the job were seen. Busy is the share of the time in which "
					    "something ran on the GPU, and SMs the share of its processors that were busy. Peak memory "
					    "is that of the job's own processes. Energy is that of the whole card." };

	html_table(out, &table);
}

static void print_allocated(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(gpu_allocated, "Node", HTML_TEXT, node),
		HTML_COLUMN(gpu_allocated, "What", HTML_TEXT, kind),
		HTML_COLUMN(gpu_allocated, "Type", HTML_TEXT, type),
		HTML_COLUMN(gpu_allocated, "Count", HTML_COUNT, count),
		{ .head = "Slurm's numbers", .kind = HTML_NUMBER, .print = indexes_cell },
	};
	struct html_table table = { .id = "gpus-allocated", .title = "GPUs allocated", .report = report, HTML_COLUMNS(columns),
				    HTML_ROWS(&report->allocated.gpus_allocated), .max = ROWS_MAX,
				    .note = "What Slurm gave the job. Slurm's numbers follow gres.conf, and can differ from the numbers "
					    "of the devices." };

	html_table(out, &table);
}

void html_gpus(const struct report *report, FILE *out)
{
	print_used(report, out);
	print_allocated(report, out);
}
