/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy a GPU was: by the counters of its hardware (GPM, from Hopper on), otherwise by the driver's samples.
 *
 * nvmlDeviceGetProcessUtilization is of no use here: it lists only processes that were busy, so it cannot tell an idle
 * GPU from one that was not looked at.
 */
#include <string.h>
#include <time.h>

#include "collector/gpu/nvml_internal.h"
#include "common/clock.h"

#define SAMPLES_ROOM 1024
#define GAP_US 2000000ull /* a longer time between two of the driver's samples is not covered */
#define AHEAD_US 1000000ull
/* The API reference: utilization is of the last second, or of the last sixth of a second. The shorter one is sure. */
#define RATES_COVER_NS 166666666ull

static uint32_t take_gpm_sample(struct nvml_gpu *gpu, nvml_gpm_sample sample)
{
	if (gpu->handle != gpu->card && gpu->instance != NVML_NO_INSTANCE)
		return NVML_CALL(GpmMigSampleGet, gpu->card, gpu->instance, sample);
	return NVML_CALL(GpmSampleGet, gpu->handle, sample);
}

/* Sets gpm_refused if the GPU has no counters. */
static void prepare_gpm(struct nvml_gpu *gpu)
{
	struct nvml_gpm_support support = { .version = 1 };
	uint32_t status;

	if (gpu->gpm[1] || gpu->gpm_refused)
		return;
	status = NVML_CALL(GpmQueryDeviceSupport, gpu->card, &support);
	if (status == NVML_SUCCESS && !support.supported)
		status = NVML_NOT_SUPPORTED;
	for (int i = 0; i < 2 && status == NVML_SUCCESS; i++) {
		status = NVML_CALL(GpmSampleAlloc, &gpu->gpm[i]);
		if (status == NVML_SUCCESS && !gpu->gpm[i])
			status = NVML_NOT_SUPPORTED;
	}
	if (status != NVML_SUCCESS)
		gpu->gpm_refused = nvml_why(status);
}

static void set_shares(struct gpu_sample *sample, struct gpu_number number)
{
	sample->values[GPU_BUSY] = sample->values[GPU_SM] = sample->values[GPU_TENSOR] = sample->values[GPU_BANDWIDTH] = number;
}

static void compute_shares(const struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	static const struct {
		uint32_t id;
		enum gpu_value value;
	} wanted[] = {
		{ NVML_GPM_GRAPHICS_UTIL, GPU_BUSY },
		{ NVML_GPM_SM_UTIL, GPU_SM },
		{ NVML_GPM_ANY_TENSOR_UTIL, GPU_TENSOR },
		{ NVML_GPM_DRAM_BW_UTIL, GPU_BANDWIDTH },
	};
	enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };
	static struct nvml_gpm_metrics metrics;
	uint32_t status;

	memset(&metrics, 0, sizeof(metrics));
	metrics.version = 1;
	metrics.count = WANTED;
	metrics.first = gpu->gpm[!gpu->gpm_last];
	metrics.second = gpu->gpm[gpu->gpm_last];
	for (int i = 0; i < WANTED; i++) {
		metrics.metrics[i].id = wanted[i].id;
		metrics.metrics[i].status = NVML_NO_DATA; /* until the library writes it */
	}
	status = NVML_CALL(GpmMetricsGet, &metrics);
	if (status != NVML_SUCCESS) {
		set_shares(sample, gpu_absent(nvml_why(status)));
		return;
	}
	for (int i = 0; i < WANTED; i++) {
		const struct nvml_gpm_metric *metric = &metrics.metrics[i];

		sample->values[wanted[i].value] = metric->status == NVML_SUCCESS ? gpu_percent(metric->value) :
										   gpu_absent(nvml_why(metric->status));
	}
}

/* Returns false if the driver's samples are to be used. */
static bool read_gpm(struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	unsigned int next = !gpu->gpm_last;
	uint32_t status;

	prepare_gpm(gpu);
	if (gpu->gpm_refused) {
		set_shares(sample, gpu_absent(gpu->gpm_refused));
		return false;
	}
	status = take_gpm_sample(gpu, gpu->gpm[next]);
	if (status != NVML_SUCCESS) {
		gpu->gpm_has_last = false;
		set_shares(sample, gpu_absent(nvml_why(status)));
		return false;
	}
	gpu->gpm_last = next;
	if (gpu->gpm_has_last)
		compute_shares(gpu, sample);
	else
		set_shares(sample, gpu_absent(GPU_WHY_FIRST));
	gpu->gpm_has_last = true;
	return true;
}

/* Adds up samples that are in order and have a percentage. Others are junk. */
static struct gpu_number add_samples(struct nvml_gpu *gpu, const struct nvml_sample *samples, uint32_t count, uint32_t *junk)
{
	uint64_t now_us = clock_ns(CLOCK_REALTIME) / 1000, sum = 0, covered_us = 0, gap_us;
	bool first = !gpu->samples_us;

	for (uint32_t i = 0; i < count; i++) {
		if (samples[i].uint_value > 100 || samples[i].time_us <= gpu->samples_us || samples[i].time_us > now_us + AHEAD_US) {
			++*junk;
			continue;
		}
		gap_us = gpu->samples_us ? samples[i].time_us - gpu->samples_us : 0;
		gpu->samples_us = samples[i].time_us;
		if (gap_us > GAP_US || first)
			continue;
		sum += samples[i].uint_value * gap_us;
		covered_us += gap_us;
	}
	if (!covered_us)
		return gpu_absent(first ? GPU_WHY_FIRST : GPU_WHY_NO_DATA);
	return gpu_sampled((sum * (GPU_SHARE_ALL / 100) + covered_us / 2) / covered_us, covered_us * 1000);
}

static struct gpu_number read_rates(const struct nvml_gpu *gpu)
{
	struct nvml_utilization rates = { .gpu = UINT32_MAX };
	uint32_t status = NVML_CALL(DeviceGetUtilizationRates, gpu->handle, &rates);

	if (status != NVML_SUCCESS)
		return gpu_absent(nvml_why(status));
	return rates.gpu > 100 ? gpu_absent(GPU_WHY_JUNK) : gpu_sampled(rates.gpu * (GPU_SHARE_ALL / 100), RATES_COVER_NS);
}

static struct gpu_number read_samples(struct nvml_gpu *gpu, uint32_t *junk)
{
	static struct nvml_sample samples[SAMPLES_ROOM];
	uint32_t type = UINT32_MAX, count = SAMPLES_ROOM, status;

	status = NVML_CALL(DeviceGetSamples, gpu->handle, NVML_GPU_UTILIZATION_SAMPLES, gpu->samples_us, &type, &count, samples);
	if (status == NVML_FUNCTION_NOT_FOUND || status == NVML_NOT_SUPPORTED)
		return read_rates(gpu);
	if (status != NVML_SUCCESS)
		return gpu_absent(nvml_why(status));
	if (count > SAMPLES_ROOM || type != NVML_VALUE_UNSIGNED_INT)
		return gpu_absent(GPU_WHY_JUNK);
	return add_samples(gpu, samples, count, junk);
}

void nvml_read_busy(struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	struct gpu_number sampled;
	uint64_t value;

	if (read_gpm(gpu, sample))
		return;
	sampled = read_samples(gpu, &sample->junk);
	/* without samples either, the reason of the counters tells more if they are refused for a right */
	if (gpu_number_get(&sampled, &value) || sample->values[GPU_BUSY].why != GPU_WHY_NO_PERMISSION)
		sample->values[GPU_BUSY] = sampled;
}
