/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice to ask for fewer CPUs or nodes, for more CPUs, or to use them otherwise. */
#include "reports/verdict/advice_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/tool_threads.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/bound.h"

#define LINE_MAX_TEXT 128
#define SHORT_POINT 0.5 /* of the series' interval: a shorter last point gives no rate */

/* The most CPUs used over one point of the only node's series; NAN when there is none. */
static double most_cpus(const struct facts *facts)
{
	struct json_object *list = field_typed(facts->report, "series", json_type_array);
	struct json_object *series = field_length(list) == 1 ? json_object_array_get_idx(list, 0) : NULL;
	struct json_object *ends = field_typed(series, "end_offsets_s", json_type_array);
	struct json_object *cpu = field_typed(series, "columns.cpu_s", json_type_array);
	double interval_s = fact_number(series, "interval_s"), most = NAN, begin_s = 0;

	for (size_t i = 0; i < field_length(ends) && i < field_length(cpu); i++) {
		double length_s = fact_at(ends, i) - begin_s;

		begin_s = fact_at(ends, i);
		if (length_s > 0 && length_s >= SHORT_POINT * interval_s)
			most = fmax(most, fact_at(cpu, i) / length_s);
	}
	return most;
}

/* Counts the steps. @sum_s: how long they took, added up. */
static size_t count_steps(const struct facts *facts, double *sum_s)
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array);
	size_t count = 0;

	*sum_s = 0;
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!parts_is_of_srun(step))
			continue;
		*sum_s += fact_number(step, "elapsed_s");
		count++;
	}
	return count;
}

size_t advice_steps(const struct facts *facts)
{
	double sum_s;

	return count_steps(facts, &sum_s);
}

bool advice_steps_overlap(const struct facts *facts)
{
	double sum_s;

	return count_steps(facts, &sum_s) > 1 && !(sum_s <= facts->elapsed_s);
}

/* Memory that a step asked for, and when it ran, in microseconds since 1970: always, if the report does not say. */
struct asked {
	double bytes;
	int64_t start_us, end_us;
};

/*
 * Finds the steps that asked for memory of their own: the others have the job's limit. @asked: room for all steps. Returns how
 * many there are.
 */
static size_t find_asked(const struct facts *facts, struct json_object *steps, struct asked *asked)
{
	size_t count = 0;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		struct asked one = { fact_number(step, "memory_limit_bytes"), INT64_MIN, INT64_MAX };

		if (!parts_is_of_srun(step) || !(one.bytes < facts->memory_limit))
			continue;
		time_parse(field_text(step, "start"), &one.start_us);
		time_parse(field_text(step, "end"), &one.end_us);
		asked[count++] = one;
	}
	return count;
}

/* Returns what was asked for at most at one time: then some step began. */
static double most_at_once(const struct asked *asked, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		double sum = 0;

		for (size_t j = 0; j < count; j++)
			if (j == i || (asked[j].start_us <= asked[i].start_us && asked[j].end_us > asked[i].start_us))
				sum += asked[j].bytes;
		most = fmax(most, sum);
	}
	return most;
}

/* Where memory goes by the CPU, a step's is that of its CPUs. */
double advice_steps_memory(const struct facts *facts)
{
	struct json_object *steps = field_typed(facts->report, "steps", json_type_array);
	cleanup_free struct asked *asked = calloc(field_length(steps) + 1, sizeof(*asked));
	double most = 0;
	size_t count;

	if (facts->memory_per_cpu || !asked)
		return 0;
	count = find_asked(facts, steps, asked);
	if (advice_steps_overlap(facts))
		most = most_at_once(asked, count);
	else
		for (size_t i = 0; i < count; i++)
			most = fmax(most, asked[i].bytes);
	/* a site may have limits that are not what was asked for, but a part of it */
	return most > 0 ? most / facts->memory_limit * facts->memory_requested : 0;
}

/*
 * Whether the job would have taken hardly longer with no more than @threads threads busy at a time. How wide a phase was
 * that is short, or shorter than a point of the series, only the sums show: what all threads wanted of the time in which
 * two or more were busy.
 */
static bool hardly_longer(const struct facts *facts, double threads)
{
	double alone_s = facts->active_s - facts->parallel_s, wanted_s = facts->on_cpu_s + facts->runnable_s - alone_s;
	double most_s = facts->parallel_s * facts->cpus_per_node;

	return fact_at_most(wanted_s, most_s) / threads - facts->parallel_s <=
	       fact_rule(facts, RULE_ADVICE_PARALLEL) * facts->time_s;
}

/* The number of threads that need a core each for the job to do as well, or nearly; NAN when that is not certain. */
static double enough_threads(const struct facts *facts)
{
	double most = ceil(fact_rule(facts, RULE_ADVICE_FACTOR) * most_cpus(facts)), enough;

	if (facts_one_at_a_time(facts) && hardly_longer(facts, 1))
		return 1;
	if (isnan(facts->busy_peak))
		return NAN;
	enough = fmax(1, fmin(facts->busy_peak, most));
	return hardly_longer(facts, enough) ? enough : NAN;
}

/*
 * The CPUs of a core, as the job asked for them: it gets all hardware threads of a core. Where it got a core for each CPU
 * that it asked for (--hint=nomultithread), it asked for cores.
 */
static double cpus_of_core(const struct facts *facts)
{
	return facts->requested_cpus > facts->cores ? facts->cpus / facts->cores : 1;
}

/* The number of CPUs to ask for, to have a core for each of @threads; 1 is a core anyway. */
static double enough_cpus(const struct facts *facts, double threads)
{
	return threads > 1 ? fmin(threads, facts->cores) * cpus_of_core(facts) : threads;
}

/*
 * Returns the options that must stand before --cpus-per-task; NULL if no advice is possible. A script that starts
 * its tasks without srun may need its --ntasks, unless one thread did all the work.
 */
static const char *options(const struct facts *facts, double enough)
{
	double requested = fact_number(facts->report, "requested.tasks");

	if (requested == facts->tasks)
		return "";
	return enough == 1 && facts->tasks == 1 && !facts->ranked ? "--ntasks=1 " : NULL;
}

void advice_write_cpus(double cpus, const char *before, char *line, size_t size)
{
	snprintf(line, size, "#SBATCH %s--cpus-per-task=%.0f", before, cpus);
}

/* Fewer CPUs, with which the job would have done as well. */
struct fewer {
	double threads;     /* that each have a core then */
	double enough;      /* in all */
	double per_task;
	const char *before; /* options that must stand before --cpus-per-task */
};

/*
 * Whether others or a quota kept CPUs from it, so that what it used is not what it would have used. That does not matter if one
 * thread at a time had something to do.
 */
static bool was_kept(const struct facts *facts)
{
	return bound_kept(facts) && !(facts_one_at_a_time(facts) && hardly_longer(facts, 1));
}

/*
 * Returns false where there is no such advice. A job that has its nodes for itself would leave nobody a CPU. And where CPUs
 * bring memory with them, it must be known how much of it is needed.
 */
static bool find_fewer(const struct facts *facts, struct fewer *fewer)
{
	double had = facts_cpus_per_task(facts);

	if (facts->nodes != 1 || facts->exclusive || !facts_show_needs(facts, RULE_ADVICE_ELAPSED) || advice_steps_overlap(facts) ||
	    was_kept(facts) || bound_oversubscribed(facts) ||
	    (facts->memory_per_cpu && (advice_held_by_tool(facts) || isnan(facts->memory_upper * facts->cpus))))
		return false;
	fewer->threads = enough_threads(facts);
	fewer->enough = enough_cpus(facts, fewer->threads);
	fewer->per_task = ceil(fewer->enough / facts->tasks);
	fewer->before = options(facts, fewer->enough);
	/* The second hardware thread of a single core is of no use to other jobs. */
	return fewer->before && fewer->per_task < had &&
	       rules_saves(facts->rules, fewer->enough, facts->requested_cpus) && facts->cores > 1;
}

double advice_cpus_left(const struct facts *facts)
{
	struct fewer fewer;

	return find_fewer(facts, &fewer) ? fact_share(fewer.per_task * facts->tasks / facts->cpus) : 1;
}

bool advice_takes_one_task(const struct facts *facts)
{
	struct fewer fewer;

	return find_fewer(facts, &fewer) && *fewer.before;
}

static void advise_fewer(const struct facts *facts, const struct fewer *fewer, struct json_object *list)
{
	double parallel = fact_share(facts->parallel_s / facts->time_s);
	/* What a step asked for is not known. */
	const char *steps = advice_steps(facts) == 0 ? "" : facts->no_script ? " If you give srun a number of CPUs (-c), lower that, too." :
			    " Where the script gives srun a number of CPUs (-c), lower that, too.";
	char line[LINE_MAX_TEXT], percent[PERCENT_TEXT];
	struct json_object *advice;

	advice_write_cpus(fewer->per_task, fewer->before, line, sizeof(line));
	if (fewer->enough == 1 && parallel < 0.005)
		advice = advice_add(list, line, "On %.0f CPUs no more than one thread was busy at a time.%s",
				    facts->requested_cpus, steps);
	else if (fewer->enough == 1)
		advice = advice_add(list, line,
			   "On %.0f CPUs no more than one thread was busy at a time, but for %s of the time.%s",
			   facts->requested_cpus, percent_text(parallel, percent), steps);
	else if (fewer->enough > fewer->threads)
		advice = advice_add(list, line, "%.1f of %.0f cores were used on average, and never more than %.0f for long. A "
				    "core is %.3g CPUs.%s", facts->shares.cores_busy, facts->cores, fewer->threads, cpus_of_core(facts),
				    steps);
	else
		advice = advice_add(list, line, "%.1f of %.0f CPUs were used on average, and never more than %.0f for long.%s",
				    facts->shares.cores_busy, facts->requested_cpus, fewer->enough, steps);
	advice_put_value(advice, "cpus_per_task", fewer->per_task);
}

/*
 * Adds a line for the script's body if a program started too many threads by a library that OMP_NUM_THREADS reaches. For others
 * there is no line: which of their options says how many is not known. Slurm sets SLURM_CPUS_PER_TASK only if --cpus-per-task was
 * given.
 */
static void advise_threads(const struct facts *facts, struct json_object *list)
{
	struct json_object *tool = tool_threads_crowding(facts);
	const char *runtime = tool ? tool_threads_runtime(tool) : NULL;
	double cpus = fmax(floor(tool_threads_cpus(facts)), 1);
	char line[LINE_MAX_TEXT], threads[SENTENCE_TEXT] = "";

	if (!runtime)
		return;
	tool_threads_name(tool, threads);
	snprintf(line, sizeof(line), "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-%.0f}", cpus);
	advice_add(list, line, "%s for %.0f CPU%s. It had %s loaded, which starts as many as this says, unless the program itself "
		   "asks for a number.", threads, cpus, plural(cpus), runtime);
}

/* Adds a line for the script's body if the job had enough CPUs, but srun did not use them. */
static void advise_srun(const struct facts *facts, struct json_object *list)
{
	double per_task = facts_cpus_per_task(facts);
	char line[LINE_MAX_TEXT];

	if (advice_steps(facts) == 0 || !(per_task > 1))
		return;
	snprintf(line, sizeof(line), "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-%.0f}", per_task);
	advice_add(list, line,
		   "%.0f of %.0f cores were %s used, while threads waited for the others: srun gives a task one CPU "
		   "unless told otherwise.", facts->cores_spare, facts->cores_there,
		   facts->spare_touched ? "hardly" : "never");
}

/* As many CPUs as it used where nothing held it to fewer. */
static void advise_more(const struct facts *facts, struct json_object *list)
{
	double per_task = ceil(facts->shares.cores_live / facts->tasks - 0.05), had = facts_cpus_per_task(facts);
	const char *before = options(facts, per_task);
	char line[LINE_MAX_TEXT];
	struct json_object *advice;

	if (!before || facts->nodes != 1 || !(per_task > had) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		return;
	advice_write_cpus(per_task, before, line, sizeof(line));
	advice = advice_add(list, line, "It used %.1f CPUs on average, and had %.0f.", facts->shares.cores_busy, facts->cpus);
	advice_put_value(advice, "cpus_per_task", per_task);
}

void advice_cpus(const struct facts *facts, struct json_object *list)
{
	struct fewer fewer;

	if (facts_exceeds_cpus(facts))
		advise_more(facts, list);
	else if (bound_crowded(facts))
		advise_srun(facts, list);
	else if (bound_oversubscribed(facts))
		advise_threads(facts, list);
	else if (find_fewer(facts, &fewer))
		advise_fewer(facts, &fewer, list);
}

/* ---- nodes ---- */

static bool has_line(struct json_object *list, const char *option)
{
	for (size_t i = 0; i < field_length(list); i++)
		if (strstr(field_text(json_object_array_get_idx(list, i), "line"), option))
			return true;
	return false;
}

/* Fewer nodes may have no room for all tasks that the job asked for: sbatch would refuse it. */
void advice_tasks(const struct facts *facts, struct json_object *list)
{
	struct json_object *nodes = field_typed(facts->report, "nodes", json_type_array);
	double tasks = fact_number(facts->report, "requested.tasks"), per_task = ceil(facts->requested_cpus / tasks), cpus = 0, fit;
	char line[LINE_MAX_TEXT];

	if (!has_line(list, "--nodes=") || has_line(list, "--ntasks=") || !(per_task > 0))
		return;

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (fact_number(node, "used.processes") > 0)
			cpus += fact_number(node, "allocated.cpus");
	}
	fit = fmax(1, floor(cpus / per_task));
	if (!(fit < tasks))
		return;
	snprintf(line, sizeof(line), "#SBATCH --ntasks=%.0f", fit);
	advice_add(list, line, "What it had of the nodes that it used has room for %.0f of its %.0f tasks.", fit, tasks);
}

/* A node with a process is needed, however little that did: MPI counts its ranks. */
void advice_nodes(const struct facts *facts, struct json_object *list)
{
	double count = field_length(field_typed(facts->report, "nodes", json_type_array)), empty = facts->nodes_empty;
	char line[LINE_MAX_TEXT];
	struct json_object *advice;

	if (!(empty > 0) || !(empty < count) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED) || facts->gpus > 0)
		return;
	snprintf(line, sizeof(line), "#SBATCH --nodes=%.0f", count - empty);
	advice = advice_add(list, line, "No process of the job ever ran on %.0f of its %.0f node%s.", empty, count, plural(count));
	advice_put_value(advice, "nodes", count - empty);
}
