/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/wording/gpu_fields.h"

#define GPUS_SHOWN 8
#define OPENED_SHOWN 4

static void add_gpu(const struct page *page, struct page_table *table, const struct report_gpu *gpu)
{
	struct page_cell cells[8];
	char number[GPU_TEXT], energy[GPU_TEXT];

	page_table_add(page, table, (const char *const[]){
		gpu->model ? gpu->model : gpu->vendor,
		page_text_cell(gpu->node),
		page_text_cell(gpu_number_text(gpu, number)),
		page_share_cell(gpu->busy_share, 1, &cells[1]),
		page_share_cell(gpu->sm_share, 1, &cells[2]),
		page_size_cell(gpu->job_memory_peak_bytes, &cells[3]),
		page_size_cell(gpu->memory_total_bytes, &cells[4]),
		page_text_cell(gpu_energy_text(gpu->energy_j, energy)),
		page_count_cell(gpu->xid_errors, &cells[6]),
	}, report_text_is(gpu->busy_source, "samples") ? "(sampled)" : NULL);
}

void page_gpus(struct page *page)
{
	const struct report_gpu_list *gpus = &page->report->gpus;
	size_t limit = page_limit(page, GPUS_SHOWN);
	const struct page_column columns[] = {
		{ .head = "GPUs" },
		{ .head = "Node", .is_text = true, .hidden = page->report->nodes.count < 2 },
		{ .head = "Number", .spare = 1 },
		{ .head = "Busy" },
		{ .head = "SMs", .spare = 2 },
		{ .head = "Peak" },
		{ .head = "Of" },
		{ .head = "Energy", .spare = 3 },
		{ .head = "Errors", .spare = 4 },
	};
	struct page_table table = PAGE_TABLE(columns);

	for (size_t i = 0; i < gpus->count && i < limit; i++)
		add_gpu(page, &table, &gpus->items[i]);
	page_table_print(page, &table);
	page_leave_out(page, gpus->count > limit ? gpus->count - limit : 0, "GPU", "GPUs");
}

/* Returns what precedes the number in the name of a GPU's device; NULL: the device is not a GPU. */
static const char *name_of_gpu(const struct report_gpu_opened *opened)
{
	if (report_text_is(opened->device, "nvidia"))
		return "/dev/nvidia";
	if (report_text_is(opened->device, "drm"))
		return "/dev/dri/renderD";
	return report_text_is(opened->device, "accel") ? "/dev/accel/accel" : NULL;
}

/* Writes "/dev/nvidia0 (python, held for 5 min)". */
static void write_opened(const struct report_gpu_opened *opened, bool several_nodes, FILE *out)
{
	const struct report_gpu_opener_list *tools = &opened->tools;
	double held_s = report_s(opened->held_s);
	char text[DURATION_TEXT];

	if (several_nodes)
		fprintf(out, "%s:", opened->node);
	fprintf(out, "%s%lld (", name_of_gpu(opened), (long long)opened->minor);
	if (tools->count > 0)
		fprintf(out, "%s%s, ", tools->items[0].name, tools->count > 1 ? " and others" : "");
	fprintf(out, "held for %s)", held_s >= 0 ? worded_duration_text(held_s, text) : "an unknown time");
}

/* Returns the list, which the caller frees; NULL if out of memory. */
static char *opened_text(const struct page *page)
{
	const struct report_gpu_opened_list *list = &page->report->gpus_opened;
	size_t shown = 0, size = 0, most = page_limit(page, OPENED_SHOWN);
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < list->count && shown <= most; i++) {
		if (!name_of_gpu(&list->items[i]))
			continue;
		fputs(shown == 0 ? ": " : ", ", out);
		if (shown++ == most)
			fputs("...", out);
		else
			write_opened(&list->items[i], page->report->nodes.count > 1, out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

void page_gpus_opened(struct page *page)
{
	const struct report_allocated *allocated = &page->report->allocated;
	cleanup_free char *text = opened_text(page);
	char of[64] = "";

	if (!text || allocated->gpus_opened < 0)
		return;
	if (allocated->gpus > 0)
		snprintf(of, sizeof(of), " of %lld", (long long)allocated->gpus);
	if (allocated->gpus_opened > allocated->gpus && allocated->gpus > 0)
		snprintf(of, sizeof(of), ", but %lld allocated", (long long)allocated->gpus);
	page_paragraph(page, "GPUs opened", "%lld%s%s", (long long)allocated->gpus_opened, of, text);
}
