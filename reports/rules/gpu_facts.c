/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/gpu_facts.h"

#include <math.h>
#include <stdio.h>

#include "reports/json/fact_number.h"
#include "reports/json/units.h"

/* Returns the busy share of @gpu; NAN if it is not known for enough of the job's time. */
static double busy_of(const struct report_gpu *gpu, const struct rules *rules, double elapsed_s)
{
	double covered = fact_ratio(report_s(gpu->busy_covered_s), elapsed_s);

	return covered >= rules->value[RULE_GPU_COVERED] ? gpu->busy_share : NAN;
}

static void add_gpu(struct gpu_facts *use, const struct report_gpu *gpu, const struct rules *rules, double busy)
{
	use->busy_read += gpu->busy_share;
	use->busy_used += busy;
	use->busiest = fmax(use->busiest, busy);
	use->sampled |= report_text_is(gpu->busy_source, "samples");
	if (busy < rules->value[RULE_GPU_IDLE]) {
		use->busy_idle += busy;
		use->idle++;
	}
}

/* Tells unused GPUs from GPUs whose processes were not seen. */
static void find_unused(struct gpu_facts *use, const struct report *report, const struct rules *rules, double elapsed_s)
{
	double listed = fact_ratio(report_s(report->gpus_listed_s), elapsed_s);

	if (!(listed >= rules->value[RULE_GPU_COVERED]) || use->used > use->count)
		return;
	use->unused = use->count - use->used;
}

static void find_means(struct gpu_facts *use)
{
	double sum = use->busy_used, gpus = NAN;

	if (use->unused >= 0 || use->used >= use->count)
		gpus = fmax(use->used, use->count);
	use->busy = sum / gpus;
	use->busy_read /= gpus;
	use->busy_used = fact_ratio(sum, use->used);
	use->busy_idle = fact_ratio(use->busy_idle, use->idle);
	if (isnan(sum))
		use->busiest = use->idle = use->busy_idle = NAN;
}

static void add_gpus(struct gpu_facts *use, const struct report_gpu_list *list, const struct rules *rules,
		     double elapsed_s)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct report_gpu *gpu = &list->items[i];
		double tail_s = report_s(gpu->idle_tail_s);

		add_gpu(use, gpu, rules, busy_of(gpu, rules, elapsed_s));
		if (i == 0 || !(tail_s >= use->idle_tail_s))
			use->idle_tail_s = isnan(use->idle_tail_s) && i > 0 ? NAN : tail_s;
	}
}

void gpu_facts_read(struct gpu_facts *use, const struct report *report, const struct rules *rules, double elapsed_s)
{
	const struct report_gpu_list *list = &report->gpus;

	*use = (struct gpu_facts){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false };
	if (!(report->allocated.gpus > 0))
		return;
	use->count = (double)report->allocated.gpus;
	if (!list->known)
		return;
	use->used = (double)list->count;
	use->busy_read = use->busy_used = use->idle = use->busy_idle = 0;
	/* The GPUs' time includes suspensions, and the job's does not. */
	add_gpus(use, list, rules, report_s(report->job.suspended_s) > 0 ? NAN : elapsed_s);
	find_unused(use, report, rules, elapsed_s);
	find_means(use);
}

bool gpu_facts_none(const struct gpu_facts *use, const struct rules *rules)
{
	return use->busy < rules->value[RULE_ADVICE_ACTIVE];
}

const char *gpu_facts_text(const struct gpu_facts *use, char text[GPU_FACTS_TEXT])
{
	char percent[PERCENT_TEXT], gpus[32] = "GPU";

	if (use->count > 1)
		snprintf(gpus, sizeof(gpus), "%.0f GPUs", use->count);
	if (use->unused >= use->count)
		snprintf(text, GPU_FACTS_TEXT, "no process of it was seen on its %s", gpus);
	else if (use->busy_read >= 0)
		snprintf(text, GPU_FACTS_TEXT, "its %s %s busy %s of the time%s%s", gpus,
			 use->count > 1 ? "were" : "was", percent_text(use->busy_read, percent),
			 use->busy >= 0 ? "" : " that is known", use->sampled ? " (sampled)" : "");
	else
		snprintf(text, GPU_FACTS_TEXT, "what its GPU%s did is not known", use->count > 1 ? "s" : "");
	return text;
}

double gpu_facts_memory(const struct report_gpu *gpu)
{
	return report_number(gpu->job_memory_peak_bytes >= 0 ? gpu->job_memory_peak_bytes : gpu->memory_peak_bytes);
}
