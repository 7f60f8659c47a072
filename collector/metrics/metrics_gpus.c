/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/metrics/metrics_internal.h"

static bool is_used(const struct collector *c, uint32_t index)
{
	const struct gpu_device *device = &c->gpus.devices[index];

	for (const struct job *job = c->jobs.first; job; job = job->next)
		for (uint32_t i = 0; job->phase == JOB_OPEN && i < job->gpus.count; i++)
			if (job->gpus.gpus[i].used && job->gpus.gpus[i].device.gpu == device->gpu)
				return true;
	return false;
}

/* GPUs are read only while a job runs. */
void metrics_put_gpus(const struct collector *c, FILE *out)
{
	uint64_t used = 0, known = 0;

	for (uint32_t i = 0; c->gpus.pid && i < c->gpus.devices_known; i++) {
		if (gpu_helper_is_divided(&c->gpus, &c->gpus.devices[i]))
			continue;
		known++;
		used += is_used(c, i);
	}
	metric_one_count(out, "stint_gpus", METRIC_GAUGE,
			 "GPUs, and slices of GPUs, that are read now: 0 if no job runs.", known);
	metric_one_count(out, "stint_gpus_used", METRIC_GAUGE, "GPUs on which a process of an open job was seen.",
			 used);
	metric_one_time(out, "stint_gpu_busy_seconds_total", METRIC_COUNTER,
			"Time for which GPUs were busy while a job ran on the node.", c->sums.gpu_busy_ns);
	metric_one_time(out, "stint_gpu_known_seconds_total", METRIC_COUNTER,
			"Time of GPUs, while a job ran on the node, for which it is known how busy they were.",
			c->sums.gpu_known_ns);
}
