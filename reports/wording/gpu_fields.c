/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/gpu_fields.h"

#include <stdio.h>

#include "reports/json/units.h"

#define J_PER_WH 3600.0

const char *gpu_number_text(const struct report_gpu *gpu, char text[GPU_TEXT])
{
	if (gpu->minor < 0)
		return NULL;
	if (gpu->gpu_instance >= 0)
		snprintf(text, GPU_TEXT, "%lld/%lld", (long long)gpu->minor, (long long)gpu->gpu_instance);
	else
		snprintf(text, GPU_TEXT, "%lld", (long long)gpu->minor);
	return text;
}

const char *gpu_energy_text(double joules, char text[GPU_TEXT])
{
	if (!(joules >= 0))
		return NULL;
	if (joules < J_PER_WH)
		snprintf(text, GPU_TEXT, "%.0f J", joules);
	else if (joules < 1000 * J_PER_WH)
		snprintf(text, GPU_TEXT, "%.0f Wh", joules / J_PER_WH);
	else
		snprintf(text, GPU_TEXT, "%.1f kWh", joules / (1000 * J_PER_WH));
	return text;
}

const char *gpu_sampled_text(const struct report_gpu *gpu, char text[GPU_TEXT])
{
	double known_s = report_s(gpu->busy_known_s), covered_s = report_s(gpu->busy_covered_s);
	char percent[PERCENT_TEXT];

	if (!report_text_is(gpu->busy_source, "samples"))
		return NULL;
	if (known_s > 0 && covered_s >= 0 && covered_s <= known_s)
		snprintf(text, GPU_TEXT, "sampled, %s coverage", percent_text(covered_s / known_s, percent));
	else
		snprintf(text, GPU_TEXT, "sampled");
	return text;
}

const char *gpu_absent_reason(const struct report_gpu *gpu, const char *name)
{
	for (size_t i = 0; i < gpu->absent.count; i++)
		if (report_text_is(gpu->absent.items[i].name, name))
			return gpu->absent.items[i].reason;
	return NULL;
}
