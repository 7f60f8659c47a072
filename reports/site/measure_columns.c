/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/measure_columns.h"

#define BIT(measure) (UINT64_C(1) << JOB_##measure)
#define CPU_KNOWN (BIT(CPU_GIVEN) | BIT(CPU_USED))
#define CPU_PARTS                                                                                                     \
	(BIT(CPU_FAILED) | BIT(CPU_TIMEOUT) | BIT(CPU_FILES) | BIT(CPU_WAITS) | BIT(CPU_IDLE) | BIT(CPU_SERIAL) |       \
	 BIT(CPU_KEPT) | BIT(CPU_SPARE) | BIT(CPU_UNCLEAR))
#define MEM_KNOWN BIT(MEM_GIVEN)
#define PART(measure, known) [JOB_##measure] = { BIT(measure), 0, known }

_Static_assert(JOB_MEASURE_COUNT <= 64, "a set of measures has 64 bits");

/* A job can use more CPU time than it was given. So its waste is the sum of the parts. */
const struct measure_source measure_sources[JOB_MEASURE_COUNT] = {
	[JOB_LIMIT_USED] = { BIT(ELAPSED), 0, BIT(ELAPSED) | BIT(LIMIT) },
	[JOB_CPU_WASTED] = { CPU_PARTS, 0, CPU_KNOWN },
	PART(CPU_FAILED, CPU_KNOWN),
	PART(CPU_TIMEOUT, CPU_KNOWN),
	PART(CPU_FILES, CPU_KNOWN),
	PART(CPU_WAITS, CPU_KNOWN),
	PART(CPU_IDLE, CPU_KNOWN),
	PART(CPU_SERIAL, CPU_KNOWN),
	PART(CPU_KEPT, CPU_KNOWN),
	PART(CPU_SPARE, CPU_KNOWN),
	PART(CPU_UNCLEAR, CPU_KNOWN),
	PART(CPU_LOST, BIT(CPU_USED)),
	[JOB_CPU_JUDGED] = { BIT(CPU_GIVEN), 0, CPU_KNOWN },
	[JOB_MEM_WASTED] = { BIT(MEM_GIVEN), BIT(MEM_USED), MEM_KNOWN },
	PART(MEM_FAILED, MEM_KNOWN),
	PART(MEM_TIMEOUT, MEM_KNOWN),
	PART(MEM_MARGIN, MEM_KNOWN),
	/* If it is not known whether GPUs were busy, only GPU_UNTOLD is known. */
	[JOB_GPU_GIVEN] = { BIT(GPU_BUSY) | BIT(GPU_WASTED) | BIT(GPU_UNTOLD), 0, BIT(GPU_UNTOLD) },
	[JOB_MEM_RESERVED] = { BIT(MEM_GIVEN), BIT(MEM_USED) | BIT(MEM_FAILED) | BIT(MEM_TIMEOUT) | BIT(MEM_MARGIN), MEM_KNOWN },
};

int measure_place(enum job_measure measure)
{
	static const signed char places[JOB_MEASURE_COUNT] = {
#define PLACE_INT(measure) MEASURE_PLACE_OF_##measure,
#define PLACE_INT32(measure) MEASURE_PLACE_OF_##measure,
#define PLACE_NONE(measure) -1,
#define PLACE(measure, name, column) PLACE_##column(measure)
		JOB_MEASURES(PLACE)
	};

	return places[measure];
}

static int64_t sum_of(uint64_t set, const int64_t *values)
{
	uint64_t sum = 0;

	while (set) {
		int64_t value = values[measure_take(&set)];

		sum += value < 0 ? 0 : (uint64_t)value;
	}
	return (int64_t)sum;
}

int64_t measure_sum(const struct measure_source *source, const int64_t values[JOB_MEASURE_COUNT])
{
	return (int64_t)((uint64_t)sum_of(source->plus, values) - (uint64_t)sum_of(source->minus, values));
}

bool measure_is_other_column(enum job_measure measure)
{
	const struct measure_source *source = &measure_sources[measure];

	return measure_place(measure) < 0 && !source->minus && !(source->plus & (source->plus - 1));
}

enum job_measure measure_known_like(enum job_measure measure)
{
	uint64_t known = measure_sources[measure].known;

	if (known && !(known & (known - 1)))
		return measure_take(&known);
	for (enum job_measure i = 0; known && i < JOB_MEASURE_COUNT; i++)
		if (measure_sources[i].known == known && measure_is_other_column(i))
			return i;
	return measure;
}

static bool all_known(uint64_t set, const int64_t *values)
{
	while (set)
		if (values[measure_take(&set)] < 0)
			return false;
	return true;
}

void measures_agree(int64_t values[JOB_MEASURE_COUNT])
{
	if (values[JOB_MEM_GIVEN] < 0 || values[JOB_MEM_USED] < 0)
		values[JOB_MEM_GIVEN] = values[JOB_MEM_USED] = JOB_UNKNOWN;
	if (values[JOB_GPU_UNTOLD] < 0)
		values[JOB_GPU_BUSY] = values[JOB_GPU_WASTED] = JOB_UNKNOWN;
}

int64_t measure_compute(enum job_measure measure, const int64_t values[JOB_MEASURE_COUNT])
{
	const struct measure_source *source = &measure_sources[measure];

	return all_known(source->known, values) ? measure_sum(source, values) : JOB_UNKNOWN;
}

void measures_compute(int64_t values[JOB_MEASURE_COUNT])
{
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (measure_sources[i].known)
			values[i] = measure_compute(i, values);
}

void measures_compute_sums(int64_t sum[JOB_MEASURE_COUNT], int64_t known[JOB_MEASURE_COUNT])
{
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++) {
		known[i] = known[measure_known_like(i)];
		if (measure_place(i) < 0 && !measure_is_other_column(i))
			sum[i] = measure_sum(&measure_sources[i], sum);
	}
}
