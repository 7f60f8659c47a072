/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/srun_steps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/ending/parts.h"

#define BESIDE_US 1e6     /* microseconds; two steps ran at the same time if they overlap by this time */
#define SAME_BYTES 2097152.0 /* Slurm counts memory in whole MiB: amounts that differ by less count as the same */

/* Counts srun's steps. @sum_s: set to the sum of their times, in seconds. */
static size_t count_steps(const struct report_step_list *steps, double *sum_s)
{
	size_t count = 0;

	*sum_s = 0;
	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];

		if (!parts_is_of_srun(step))
			continue;
		*sum_s += report_s(step->elapsed_s);
		count++;
	}
	return count;
}

/*
 * The memory that a step asked for, and when it ran, in microseconds since 1970.
 * A step without times counts as always running.
 */
struct asked {
	double bytes;
	int64_t start_us, end_us;
};

/*
 * With memory per CPU, a step gets the memory of its CPUs.
 * This limit shrinks if the job's memory shrinks.
 */
static bool comes_with_cpus(const struct facts *facts, double bytes)
{
	double of_cpu = report_number(facts->report->requested.memory_per_cpu_bytes);
	double asked = bytes / facts->memory_limit * facts->memory_requested;

	return facts->memory_per_cpu && !(fabs(asked - round(asked / of_cpu) * of_cpu) > SAME_BYTES);
}

/*
 * Puts the steps that asked for memory themselves into @asked. The array must have room for all steps.
 * Leaves out steps whose limit is the job's limit. Returns the number of steps in @asked.
 */
static size_t find_asked(const struct facts *facts, const struct report_step_list *steps, struct asked *asked)
{
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];
		struct asked one = { report_number(step->memory_limit_bytes), INT64_MIN, INT64_MAX };

		if (!parts_is_of_srun(step) || !(one.bytes < facts->memory_limit) || comes_with_cpus(facts, one.bytes))
			continue;
		time_parse(step->start, &one.start_us);
		time_parse(step->end, &one.end_us);
		asked[count++] = one;
	}
	return count;
}

static int by_start(const void *a, const void *b)
{
	const struct asked *one = a, *other = b;

	return (one->start_us > other->start_us) - (one->start_us < other->start_us);
}

static int by_end(const void *a, const void *b)
{
	const struct asked *one = a, *other = b;

	return (one->end_us > other->end_us) - (one->end_us < other->end_us);
}

static bool took_time(const struct asked *one)
{
	return one->end_us > one->start_us;
}

/*
 * Returns the most memory that steps asked for at one time. The maximum is always reached when a step begins.
 * A step that took no time counts only at its begin.
 * @asked, @ended: all steps. The function sorts @asked by start, and @ended by end.
 */
static double most_at_once(struct asked *asked, struct asked *ended, size_t count)
{
	double most = 0, sum = 0;
	size_t end = 0, begun = 0;

	qsort(asked, count, sizeof(*asked), by_start);
	qsort(ended, count, sizeof(*ended), by_end);
	for (size_t i = 0; i < count; i++) {
		int64_t now_us = asked[i].start_us;

		for (; begun < count && asked[begun].start_us <= now_us; begun++)
			sum += took_time(&asked[begun]) ? asked[begun].bytes : 0;
		for (; end < count && ended[end].end_us <= now_us; end++)
			sum -= took_time(&ended[end]) ? ended[end].bytes : 0;
		most = fmax(most, sum + (took_time(&asked[i]) ? 0 : asked[i].bytes));
	}
	return most;
}

static double asked_at_once(const struct facts *facts, const struct report_step_list *steps)
{
	cleanup_free struct asked *asked = calloc(steps->count + 1, sizeof(*asked));
	cleanup_free struct asked *ended = calloc(steps->count + 1, sizeof(*ended));
	double most = 0;
	size_t count;

	if (!asked || !ended)
		return 0;
	count = find_asked(facts, steps, asked);
	if (facts->steps_overlap) {
		find_asked(facts, steps, ended);
		return most_at_once(asked, ended, count);
	}
	for (size_t i = 0; i < count; i++)
		most = fmax(most, asked[i].bytes);
	return most;
}

/*
 * Returns true if @later began while @one ran.
 * srun returns before Slurm has cleaned up after a step, so a short overlap does not count.
 */
static bool ran_beside(const struct asked *one, const struct asked *later)
{
	double shorter_us = fmin((double)(one->end_us - one->start_us), (double)(later->end_us - later->start_us));
	double both_us = fmin((double)one->end_us, (double)later->end_us) - (double)later->start_us;

	return both_us > 0 && (both_us >= BESIDE_US || both_us >= shorter_us / 2);
}

/*
 * Puts the start and the end of each step of srun into @ran. The array must have room for all steps.
 * Returns the number of these steps; 0 if a time is not known.
 */
static size_t find_times_of_steps(const struct report_step_list *steps, struct asked *ran)
{
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];

		if (!parts_is_of_srun(step))
			continue;
		if (!time_parse(step->start, &ran[count].start_us) || !time_parse(step->end, &ran[count].end_us))
			return 0;
		count++;
	}
	return count;
}

/*
 * Returns true if steps ran at the same time.
 * If times are not known, returns true if the steps together took longer than the job.
 */
static bool steps_overlap(const struct facts *facts, const struct report_step_list *steps, double sum_s)
{
	cleanup_free struct asked *ran = calloc(steps->count + 1, sizeof(*ran));
	size_t count = ran ? find_times_of_steps(steps, ran) : 0, last = 0;

	if (count == 0)
		return !(sum_s <= facts->elapsed_s);
	qsort(ran, count, sizeof(*ran), by_start);
	for (size_t i = 1; i < count; i++) {
		if (ran_beside(&ran[last], &ran[i]))
			return true;
		if (ran[i].end_us > ran[last].end_us)
			last = i;
	}
	return false;
}

/* A site may limit a step to a part of the memory that the step asked for. So first converts limits to requests. */
void srun_steps_read(struct facts *facts)
{
	const struct report_step_list *steps = &facts->report->steps;
	double sum_s, most;

	facts->steps = count_steps(steps, &sum_s);
	facts->steps_overlap = facts->steps > 1 && steps_overlap(facts, steps, sum_s);
	most = asked_at_once(facts, steps);
	facts->steps_memory = most > 0 ? most / facts->memory_limit * facts->memory_requested : 0;
}
