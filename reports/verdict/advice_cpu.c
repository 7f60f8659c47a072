/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advises how many CPUs, GPUs or nodes to ask for, and how to use the CPUs. */
#include "reports/verdict/advice_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/tool_threads.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings_gpu.h"

#define LINE_MAX_TEXT 128
#define FEW_CPUS 8 /* of a GPU: a job with more has other work for them */
#define SHORT_POINT 0.5 /* of the series' interval; a last point that is shorter gives no rate */

/* Returns the CPUs in use in the busiest interval of the series. NAN if there is not exactly one series. */
static double most_cpus(const struct facts *facts)
{
	const struct report_series *series = facts->report->series.count == 1 ? facts->report->series.items : NULL;
	double most = NAN, begin_s = 0;

	for (size_t i = 0; series && i < series->end_offsets_s.count && i < series->columns.cpu_s.count; i++) {
		double end_s = report_s(series->end_offsets_s.items[i]), length_s = end_s - begin_s;

		begin_s = end_s;
		if (length_s > 0 && length_s >= SHORT_POINT * report_s(series->interval_s))
			most = fmax(most, report_s(series->columns.cpu_s.items[i]) / length_s);
	}
	return most;
}

/*
 * Returns true if the job would hardly have taken longer with at most @threads busy threads.
 * A series does not show phases that are shorter than its points. So the sums of the job are used.
 */
static bool hardly_longer(const struct facts *facts, double threads)
{
	double alone_s = facts->active_s - facts->parallel_s, wanted_s = facts->on_cpu_s + facts->runnable_s - alone_s;
	double most_s = facts->parallel_s * facts->cpus_per_node;

	return fact_at_most(wanted_s, most_s) / threads - facts->parallel_s <=
	       fact_rule(facts, RULE_ADVICE_PARALLEL) * facts->time_s;
}

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
 * Returns how many CPUs of the request belong to one core.
 * Slurm gives a job all hardware threads of a core. With --hint=nomultithread, each CPU is a core.
 */
static double cpus_of_core(const struct facts *facts)
{
	return facts->requested_cpus > facts->cores ? facts->cpus / facts->cores : 1;
}

/* A job that asks for 1 CPU gets a whole core. */
static double enough_cpus(const struct facts *facts, double threads)
{
	return threads > 1 ? fmin(threads, facts->cores) * cpus_of_core(facts) : threads;
}

/*
 * Returns the options before --cpus-per-task; "" for none.
 * Returns NULL if the script may need its --ntasks, because it starts tasks without srun.
 */
static const char *options(const struct facts *facts, double enough)
{
	double requested = report_number(facts->report->requested.tasks);

	if (requested == facts->tasks)
		return "";
	return enough == 1 && facts->tasks == 1 && !facts->ranked ? "--ntasks=1 " : NULL;
}

void advice_write_cpus(double cpus, const char *before, char *line, size_t size)
{
	snprintf(line, size, "#SBATCH %s--cpus-per-task=%.0f", before, cpus);
}

struct fewer {
	double threads;     /* how many threads get a core each */
	double enough;      /* CPUs of all tasks */
	double per_task;
	const char *before;
};

/*
 * If other work or a quota took CPU time, the job may need more CPUs than it used.
 * A job with a single busy thread does not need more.
 */
static bool was_kept(const struct facts *facts)
{
	return bound_kept(facts) && !(facts_one_at_a_time(facts) && hardly_longer(facts, 1));
}

/*
 * Returns false if there is no advice for fewer CPUs.
 * An exclusive job gets no advice: other jobs cannot use its CPUs.
 * A job with memory per CPU gets no advice if the needed memory is not known.
 */
static bool find_fewer(const struct facts *facts, struct fewer *fewer)
{
	double had = facts_cpus_per_task(facts);

	if (facts->nodes != 1 || facts->exclusive || !facts_show_needs(facts, RULE_ADVICE_ELAPSED) || facts->steps_overlap ||
	    was_kept(facts) || facts->oversubscribed ||
	    (facts->memory_per_cpu && (advice_held_by_tool(facts) || isnan(facts->memory_upper * facts->cpus))))
		return false;
	fewer->threads = enough_threads(facts);
	fewer->enough = enough_cpus(facts, fewer->threads);
	fewer->per_task = ceil(fewer->enough / facts->tasks);
	fewer->before = options(facts, fewer->enough);
	/* Other jobs cannot use the second hardware thread of a single core. */
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

static void advise_fewer(const struct facts *facts, const struct fewer *fewer, struct report *report)
{
	double parallel = fact_share(facts->parallel_s / facts->time_s);
	/* The CPUs that steps asked for are not known. */
	const char *steps = facts->steps == 0 ? "" : facts->no_script ? " If you give srun a number of CPUs (-c), lower that, too." :
			    " If the script gives srun a number of CPUs (-c), lower that, too.";
	char line[LINE_MAX_TEXT], percent[PERCENT_TEXT];
	struct report_advice *advice;

	advice_write_cpus(fewer->per_task, fewer->before, line, sizeof(line));
	if (fewer->enough == 1 && parallel < 0.005)
		advice = advice_add(report, line, "On %.0f CPUs no more than one thread was busy at a time.%s",
				    facts->requested_cpus, steps);
	else if (fewer->enough == 1)
		advice = advice_add(report, line,
			   "On %.0f CPUs no more than one thread was busy at a time, except for %s of the time.%s",
			   facts->requested_cpus, percent_text(parallel, percent), steps);
	else if (fewer->enough > fewer->threads)
		advice = advice_add(report, line, "%.1f of %.0f cores were used on average, and never more than %.0f for long. A "
				    "core is %.3g CPUs.%s", facts->shares.cores_busy, facts->cores, fewer->threads, cpus_of_core(facts),
				    steps);
	else
		advice = advice_add(report, line, "%.1f of %.0f CPUs were used on average, and never more than %.0f for long.%s",
				    facts->shares.cores_busy, facts->requested_cpus, fewer->enough, steps);
	advice->cpus_per_task = advice_count(fewer->per_task);
}

/*
 * Adds a line with OMP_NUM_THREADS if a library reads this variable and started too many threads.
 * For other programs, the option that sets the number of threads is not known.
 * Slurm sets SLURM_CPUS_PER_TASK only if --cpus-per-task was given.
 */
static void advise_threads(const struct facts *facts, struct report *report)
{
	const struct report_tool *tool = facts->crowding;
	const char *runtime = tool ? tool_threads_runtime(tool) : NULL;
	double cpus = fmax(floor(tool_threads_cpus(facts)), 1);
	char line[LINE_MAX_TEXT], threads[SENTENCE_TEXT] = "";

	if (!runtime)
		return;
	tool_threads_name(tool, threads);
	snprintf(line, sizeof(line), "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-%.0f}", cpus);
	advice_add(report, line, "%s for %.0f CPU%s. It had %s loaded, which starts as many as this says, unless the program itself "
		   "asks for a number.", threads, cpus, plural(cpus), runtime);
}

/* If srun did not give all CPUs of the job to the steps, adds a line that changes this. */
static void advise_srun(const struct facts *facts, struct report *report)
{
	double per_task = facts_cpus_per_task(facts);
	char line[LINE_MAX_TEXT];

	if (facts->steps == 0 || !(per_task > 1))
		return;
	snprintf(line, sizeof(line), "export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-%.0f}", per_task);
	advice_add(report, line,
		   "%.0f of %.0f cores were %s used, while threads waited for the others: srun gives a task one CPU "
		   "unless told otherwise.", facts->cores_spare, facts->cores_there,
		   facts->spare_touched ? "hardly" : "never");
}

/* If nothing bound a job to its CPUs, it can have used more CPUs than it was given. */
static void advise_more(const struct facts *facts, struct report *report)
{
	double per_task = ceil(facts->shares.cores_live / facts->tasks - 0.05), had = facts_cpus_per_task(facts);
	const char *before = options(facts, per_task);
	char line[LINE_MAX_TEXT];
	struct report_advice *advice;

	if (!before || facts->nodes != 1 || !(per_task > had) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		return;
	advice_write_cpus(per_task, before, line, sizeof(line));
	advice = advice_add(report, line, "It used %.1f CPUs on average, and had %.0f.", facts->shares.cores_busy, facts->cpus);
	advice->cpus_per_task = advice_count(per_task);
}

static bool gpus_waited_for_cpus(const struct facts *facts)
{
	return findings_gpu_half_idle(facts) && findings_gpu_cpus_full(facts) && facts->nodes == 1 &&
	       facts->cpus < FEW_CPUS * facts->gpus && facts_show_needs(facts, RULE_ADVICE_ELAPSED);
}

/* How many CPUs keep a GPU busy is not known. Doubling their number takes the fewest tries. */
static void advise_feeders(const struct facts *facts, struct report *report)
{
	double per_task = 2 * facts_cpus_per_task(facts);
	const char *before = options(facts, per_task);
	char line[LINE_MAX_TEXT], gpus[GPU_FACTS_TEXT];
	struct report_advice *advice;

	if (!before || !(per_task > 0))
		return;
	advice_write_cpus(per_task, before, line, sizeof(line));
	advice = advice_add(report, line, "All of its CPUs were busy, and %s. How many more keep a GPU busy is not known: twice as many "
			    "are a fair try.", gpu_facts_text(&facts->gpu, gpus));
	advice->cpus_per_task = advice_count(per_task);
}

void advice_cpus(const struct facts *facts, struct report *report)
{
	struct fewer fewer;

	if (facts_exceeds_cpus(facts))
		advise_more(facts, report);
	else if (gpus_waited_for_cpus(facts) && !bound_crowded(facts))
		advise_feeders(facts, report);
	else if (bound_crowded(facts))
		advise_srun(facts, report);
	else if (facts->oversubscribed)
		advise_threads(facts, report);
	else if (find_fewer(facts, &fewer))
		advise_fewer(facts, &fewer, report);
}

/*
 * GPUs that a process had open may be needed, however idle they were.
 * With several tasks or nodes, it is not known which of them needs which GPUs.
 */
static bool finds_fewer_gpus(const struct facts *facts)
{
	return facts->gpu.used > 0 && facts->gpu.unused > 0 && facts->elapsed_s >= fact_rule(facts, RULE_GPU_ELAPSED) &&
	       facts->nodes == 1 && facts_tasks_at_work(facts) == 1 && !facts->exclusive &&
	       facts_show_needs(facts, RULE_ADVICE_ELAPSED);
}

void advice_gpus(const struct facts *facts, struct report *report)
{
	double enough = facts->gpu.used;
	struct report_advice *advice;
	char line[LINE_MAX_TEXT];

	if (!finds_fewer_gpus(facts))
		return;
	snprintf(line, sizeof(line), "#SBATCH --gpus=%.0f", enough);
	advice = advice_add(
		report, line,
		"Its processes were seen on %.0f of its %.0f GPUs. The line takes the place of the one by which %s GPUs now "
		"(--gpus, --gres); if that names a type of GPU, add it.",
		enough, facts->gpus, facts->no_script ? "you ask for" : "the script asks for");
	advice->gpus = advice_count(enough);
}

bool advice_takes_fewer_nodes(const struct facts *facts)
{
	return facts->nodes_empty > 0 && facts->nodes_empty < facts->nodes && facts_show_needs(facts, RULE_ADVICE_ELAPSED) &&
	       !(facts->gpus > 0);
}

/* sbatch refuses a job whose tasks do not fit on the nodes. */
void advice_tasks(const struct facts *facts, struct report *report)
{
	const struct report_node_list *nodes = &facts->report->nodes;
	double tasks = report_number(facts->report->requested.tasks), per_task = ceil(facts->requested_cpus / tasks), cpus = 0, fit;
	char line[LINE_MAX_TEXT];

	if (!advice_takes_fewer_nodes(facts) || !(per_task > 0))
		return;
	for (size_t i = 0; i < nodes->count; i++)
		if (report_number(nodes->items[i].used.processes) > 0)
			cpus += report_number(nodes->items[i].allocated.cpus);
	fit = fmax(1, floor(cpus / per_task));
	if (!(fit < tasks))
		return;
	snprintf(line, sizeof(line), "#SBATCH --ntasks=%.0f", fit);
	advice_add(report, line, "Its CPUs on the nodes that it used are enough for %.0f of its %.0f tasks.", fit, tasks);
}

/* An MPI program needs all its ranks, so a node whose process did little may be needed. */
void advice_nodes(const struct facts *facts, struct report *report)
{
	double count = facts->nodes, empty = facts->nodes_empty;
	char line[LINE_MAX_TEXT];
	struct report_advice *advice;

	if (!advice_takes_fewer_nodes(facts))
		return;
	snprintf(line, sizeof(line), "#SBATCH --nodes=%.0f", count - empty);
	advice = advice_add(report, line, "No process of the job ever ran on %.0f of its %.0f node%s.", empty, count, plural(count));
	advice->nodes = advice_count(count - empty);
}
