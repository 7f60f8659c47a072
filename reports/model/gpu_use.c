/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/gpu_use.h"

#include <math.h>

/* Returns whether all that ran on the listed GPUs was the job's. */
static bool has_gpus_alone(const struct report *report)
{
	const struct report_gpu_allocated_list *list = &report->allocated.gpus_allocated;

	for (size_t i = 0; i < list->count; i++)
		if (!report_text_is(list->items[i].kind, "gpu"))
			return false;
	return report->gpus.count <= (uint64_t)report->allocated.gpus;
}

/*
 * The readings of a GPU may begin before Slurm's start of the job, and end after its end. They go on while the job is
 * suspended, and the elapsed time does not: then the GPU is idle, and not by the job's fault.
 */
static void add_gpu(const struct report_gpu *gpu, double elapsed_s, double suspended_s, struct gpu_use *use)
{
	double known_s = fmin(report_s(gpu->busy_known_s), elapsed_s + suspended_s), busy_s;

	if (!(gpu->busy_share >= 0 && gpu->busy_share <= 1) || !(known_s > 0))
		return;
	busy_s = fmin(gpu->busy_share * known_s, elapsed_s);
	use->busy_s = (isnan(use->busy_s) ? 0 : use->busy_s) + busy_s;
	use->idle_s = (isnan(use->idle_s) ? 0 : use->idle_s) + fmax(0, known_s - suspended_s - busy_s);
}

void gpu_use_read(const struct report *report, struct gpu_use *use)
{
	double elapsed_s = report_s(report->job.elapsed_s), suspended_s = fmax(0, report_s(report->job.suspended_s));

	*use = (struct gpu_use){ NAN, NAN, NAN, NAN };
	if (!(report->allocated.gpus > 0) || !(elapsed_s >= 0))
		return;
	use->given_s = use->unknown_s = (double)report->allocated.gpus * elapsed_s;
	if (!has_gpus_alone(report))
		return;
	for (size_t i = 0; i < report->gpus.count; i++)
		add_gpu(&report->gpus.items[i], elapsed_s, suspended_s, use);
	if (!isnan(use->busy_s))
		use->unknown_s = fmax(0, use->given_s - use->busy_s - use->idle_s);
}
