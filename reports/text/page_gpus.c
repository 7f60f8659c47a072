/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/wording/gpu_fields.h"

#define GPUS_SHOWN 8

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
