/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/advice_part.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "reports/bound.h"
#include "reports/field.h"

#define LINE_MAX_TEXT 128
#define SHORT_POINT 0.5 /* of the series' interval; the last point may be too short for a rate */

static double array_number(struct json_object *array, size_t i)
{
	struct json_object *number = json_object_array_get_idx(array, i);

	return json_object_is_type(number, json_type_int) || json_object_is_type(number, json_type_double) ?
		json_object_get_double(number) : NAN;
}

/* Most CPUs used over one point of the only node's series; NAN when there is none. */
static double most_cpus(const struct facts *facts)
{
	struct json_object *list = field_typed(facts->report, "series", json_type_array);
	struct json_object *series = field_length(list) == 1 ? json_object_array_get_idx(list, 0) : NULL;
	struct json_object *ends = field_typed(series, "end_offsets_s", json_type_array);
	struct json_object *cpu = field_typed(series, "columns.cpu_s", json_type_array);
	double interval_s = fact_number(series, "interval_s"), most = NAN, begin_s = 0;

	for (size_t i = 0; i < field_length(ends) && i < field_length(cpu); i++) {
		double length_s = array_number(ends, i) - begin_s;

		begin_s = array_number(ends, i);
		if (length_s > 0 && length_s >= SHORT_POINT * interval_s)
			most = fmax(most, array_number(cpu, i) / length_s);
	}
	return most;
}

static bool is_numbered(struct json_object *step)
{
	const char *id = field_text(step, "id");

	return id && isdigit((unsigned char)id[0]);
}

/* Steps that srun started; @sum_s: how long they took, one after the other. */
static size_t count_steps(const struct facts *facts, double *sum_s)
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array);
	size_t count = 0;

	*sum_s = 0;
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!is_numbered(step))
			continue;
		*sum_s += fact_number(step, "elapsed_s");
		count++;
	}
	return count;
}

/* Whether steps may have run beside each other: their shares of the CPUs are not told. */
static bool steps_overlap(const struct facts *facts)
{
	double sum_s;

	return count_steps(facts, &sum_s) > 1 && !(sum_s <= facts->elapsed_s);
}

/* CPUs with which it would have done as well, or nearly; NAN when that is not sure. */
static double enough_cpus(const struct facts *facts)
{
	double most = ceil(fact_rule(facts, RULE_ADVICE_FACTOR) * most_cpus(facts));

	/* one thread was as good as all of it */
	if (facts->parallel_s <= fact_rule(facts, RULE_ADVICE_PARALLEL) * facts->time_s)
		return 1;
	if (isnan(facts->busy_peak))
		return NAN;
	return fmax(1, fmin(facts->busy_peak, most));
}

/*
 * Which tasks the CPUs were asked for matters: a script that starts its tasks
 * by other means than srun may need its --ntasks, unless one thread did all.
 */
static const char *options(const struct facts *facts, double enough)
{
	double requested = fact_number(facts->report, "requested.tasks");

	if (requested == facts->tasks)
		return "";
	return enough == 1 && facts->tasks == 1 ? "--ntasks=1 " : NULL;
}

static void advise_fewer(const struct facts *facts, struct json_object *list)
{
	double enough = enough_cpus(facts), saving = fact_rule(facts, RULE_ADVICE_SAVING);
	double per_task = ceil(enough / facts->tasks), had = floor(facts->requested_cpus / facts->tasks);
	const char *before = options(facts, enough);
	char line[LINE_MAX_TEXT];

	/* of a single core, the other half of its threads is of no use to others */
	if (!before || !(per_task < had) || !(enough <= (1 - saving) * facts->requested_cpus) || !(facts->cores > 1))
		return;
	snprintf(line, sizeof(line), "#SBATCH %s--cpus-per-task=%.0f", before, per_task);
	if (enough == 1)
		advice_add(list, line,
			   "On %.0f CPUs no more than one thread was busy at a time, but for %.0f %% of the time.",
			   facts->requested_cpus, 100 * fact_share(facts->parallel_s / facts->time_s));
	else
		advice_add(list, line, "%.1f of %.0f CPUs were used on average, and never more than %.0f for long.",
			   facts->shares.cores_busy, facts->requested_cpus, enough);
}

/*
 * Lines for the script's body, where the CPUs are enough and how the program was
 * started is the matter. Slurm sets SLURM_CPUS_PER_TASK only where it was asked for.
 */
static void advise_threads(const struct facts *facts, struct json_object *list)
{
	struct json_object *tools = field_typed(facts->report, "tools", json_type_array);
	double most = NAN, per_task = floor(facts->requested_cpus / facts->tasks), sum_s;
	char line[LINE_MAX_TEXT];

	for (size_t i = 0; i < field_length(tools); i++)
		most = fmax(most, fact_number(json_object_array_get_idx(tools, i), "threads_peak"));
	if (!bound_crowded(facts) && most > facts->cpus_per_node)
		advice_add(list, "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}",
			   "A process had %.0f threads for %.0f CPUs. A program without OpenMP has its own option.",
			   most, facts->cpus_per_node);
	if (!bound_crowded(facts) || count_steps(facts, &sum_s) == 0 || !(per_task > 1))
		return;
	snprintf(line, sizeof(line), "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-%.0f}", per_task);
	advice_add(list, line,
		   "%.0f of %.0f cores were never used, while threads waited for the others: srun gives a task one CPU "
		   "unless it is told.", facts->cores_unused, facts->cores_bound);
}

void advice_cpus(const struct facts *facts, struct json_object *list)
{
	if (bound_oversubscribed(facts))
		advise_threads(facts, list);
	else if (facts->nodes == 1 && advice_is_sound(facts) && !steps_overlap(facts))
		advise_fewer(facts, list);
}
