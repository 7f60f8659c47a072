/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/advice.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/ending/oom_kills.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/node_memory.h"
#include "reports/rules/sentence.h"
#include "reports/rules/unheld_memory.h"
#include "reports/verdict/advice_internal.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define TEXT_MAX 512
#define OPTION_TEXT 32
#define ROUNDED_FAR 1.25 /* a factor; an amount that grew by more does not look rounded */

static void write_memory(double bytes, const char *option, char *line, size_t size)
{
	if (fmod(bytes, GIB) == 0)
		snprintf(line, size, "%s=%.0fG", option, bytes / GIB);
	else
		snprintf(line, size, "%s=%.0fM", option, ceil(bytes / MIB));
}

void advice_write_memory(double bytes, const char *command, char *line, size_t size)
{
	char option[OPTION_TEXT];

	snprintf(option, sizeof(option), "%s --mem", command);
	write_memory(bytes, option, line, size);
}

void advice_write_memory_per_cpu(double bytes, char *line, size_t size)
{
	write_memory(bytes, "#SBATCH --mem-per-cpu", line, size);
}

bool advice_is_per_cpu(const char *memory_source)
{
	return memory_source && strcmp(memory_source, "per cpu") == 0;
}

const char *advice_in_place(const char *memory_source)
{
	return advice_is_per_cpu(memory_source) ? " It replaces --mem-per-cpu." : "";
}

bool advice_is_by_cpu(const struct report_requested *requested)
{
	return advice_is_per_cpu(requested->memory_source) && !(requested->tasks == 1 && requested->nodes == 1);
}

bool advice_memory_by_cpu(const struct report *report)
{
	return advice_is_by_cpu(&report->requested);
}

/*
 * Returns a sentence that limits the amount to the same number of nodes; "" if the job ran on one node.
 * Without --nodes, Slurm may use fewer nodes next time. The number of tasks does not show if the job used --nodes:
 * "--nodes=2" also makes 2 tasks (sbatch, src/sbatch/opt.c), and "--ntasks=2" alone may get 2 nodes.
 *
 * Returns "", too, if the advice asks for fewer nodes: all processes ran on these nodes, so the amount is enough there.
 */
static const char *on_as_many(const struct facts *facts)
{
	return facts->nodes > 1 && !advice_takes_fewer_nodes(facts) ?
		       " This is enough on the same number of nodes. On fewer nodes, each needs more." : "";
}

struct memory_line {
	char text[TEXT_MAX];
	double bytes;         /* on the node with the highest peak */
	double per_cpu;       /* bytes; NAN: the line asks for memory on a node */
	const char *unit;     /* follows the amount in a reason */
	const char *besides;
	bool of_steps;        /* bytes is what the steps asked for, not what the job used */
};

/* Steps that run side by side need memory per CPU. With --mem, the first step would get all memory. */
static bool keeps_by_cpu(const struct facts *facts)
{
	return (advice_memory_by_cpu(facts->report) || (facts->memory_per_cpu && facts->steps_overlap)) && !advice_takes_one_task(facts);
}

/*
 * Makes the line that asks for @bytes on a node.
 *
 * With memory per CPU, asks for @times the job's memory per CPU: Slurm may spread the tasks differently next time.
 * If other advice removes CPUs, the remaining CPUs get the memory of the removed CPUs.
 *
 * Returns false if the amount is not known, or if the job had whole nodes and needs all their memory.
 */
static bool make_line(const struct facts *facts, double bytes, double times, struct memory_line *line)
{
	double had = report_number(facts->report->requested.memory_per_cpu_bytes), cpus = advice_cpus_left(facts);

	*line = (struct memory_line){ .bytes = bytes, .per_cpu = NAN, .unit = "", .besides = "" };
	if (facts->memory_whole && !(bytes < facts->memory_requested))
		return false;
	if (!keeps_by_cpu(facts)) {
		advice_write_memory(bytes, "#SBATCH", line->text, sizeof(line->text));
		line->besides = facts->nodes > 1 ? on_as_many(facts)
						  : advice_in_place(facts->report->requested.memory_source);
		return bytes > 0;
	}
	line->per_cpu = advice_round_up(times * had / cpus, 64 * MIB);
	line->bytes = line->per_cpu / had * cpus * facts->memory_requested;
	line->unit = cpus < 1 ? " for each CPU that is left" : " for each CPU";
	advice_write_memory_per_cpu(line->per_cpu, line->text, sizeof(line->text));
	return line->bytes > 0;
}

static void put_amounts(const struct memory_line *line, struct report_advice *advice)
{
	advice->memory_bytes = advice_count(line->bytes);
	advice->memory_per_cpu_bytes = advice_count(line->per_cpu);
}

/* Names the unit if rounding raised the amount much. */
static const char *write_rounding(double bytes, const struct memory_line *line, char text[TEXT_MAX])
{
	char unit[SIZE_TEXT];

	if (isnan(line->per_cpu) && line->bytes > ROUNDED_FAR * bytes)
		snprintf(text, TEXT_MAX, "rounded up to a multiple of %s", size_text(advice_memory_unit(bytes), unit));
	else
		snprintf(text, TEXT_MAX, "rounded up");
	return text;
}

/*
 * Processes that the kernel killed for memory.
 * step_*: killed at limits below the job's limit. job_*: all other processes.
 */
struct kills {
	double job_count, job_limit; /* the highest limit; NAN if unknown */
	double job_share;            /* the highest limit, as a share of the node's memory for the job */
	double step_count, step_limit; /* the highest limit */
	double step_most;              /* the job's limit on the node of that step */
	const char *step;              /* the step with step_limit */
	const char *kernel_memory;     /* the kind of kernel memory that filled a limit; NULL: programs' memory filled it */
	double files;                  /* least bytes of a limit that files in memory (tmpfs) took; NAN if few or not known */
};

/* Returns the job's limit on @node; @given if unknown. The limit can differ between nodes. */
static double limit_of_job(const struct facts *facts, const struct report_node *node, double given)
{
	double limit = node ? report_number(node->allocated.memory_limit_bytes) : facts->memory_limit;

	return isnan(limit) ? given : limit;
}

static void read_kills(const struct facts *facts, struct kills *kills)
{
	const struct report_oom_kill_list *list = &facts->report->oom;
	double bound = list->count ? unheld_bound(facts->report) : NAN;

	*kills = (struct kills){ .job_limit = NAN, .job_share = NAN, .step_limit = NAN, .files = NAN };
	for (size_t i = 0; i < list->count; i++) {
		const struct report_oom_kill *victim = &list->items[i];
		const struct report_node *node = report_node_named(facts->report, victim->node);
		double given = node ? node_memory(facts->report, node) : facts->memory_requested;
		double limit = report_number(victim->limit_bytes), most = limit_of_job(facts, node, given);

		if (victim->node_ran_out)
			continue;
		if (!kills->kernel_memory)
			kills->kernel_memory = oom_kills_kernel_memory(victim);
		if (isnan(kills->files))
			kills->files = unheld_at_kill(bound, victim);
		if (!(limit < most)) {
			kills->job_limit = fmax(kills->job_limit, limit);
			kills->job_share = fmax(kills->job_share, fact_ratio(limit, given));
			continue;
		}
		kills->step_count++;
		if (limit <= kills->step_limit)
			continue;
		kills->step_limit = limit;
		kills->step_most = most;
		kills->step = victim->step;
	}
	kills->job_count = facts->oom_of_job - kills->step_count;
	if (isnan(kills->job_limit))
		kills->job_limit = isnan(facts->memory_limit) ? facts->memory_requested : facts->memory_limit;
	if (isnan(kills->job_share))
		kills->job_share = 1;
}

/* Says if kernel memory or files filled the limit. Otherwise a user would look for the cause in the programs. */
static void write_other_memory(const struct kills *kills, char text[TEXT_MAX])
{
	char files[SIZE_TEXT];

	*text = '\0';
	if (!isnan(kills->files))
		snprintf(text, TEXT_MAX, " Files in memory (/dev/shm and other tmpfs) took about %s of that.", size_text(kills->files, files));
	if (kills->kernel_memory)
		snprintf(text, TEXT_MAX, " Most of it was the kernel's memory for the job (%s).", kills->kernel_memory);
}

/* How much the job needs is not known. Doubling the limit takes the fewest tries. */
static void advise_after_jobs_oom(const struct facts *facts, const struct kills *kills, struct report *report)
{
	double factor = fact_rule(facts, RULE_ADVICE_OOM_FACTOR), limit = kills->job_limit;
	double enough = advice_round_memory(fmax(limit * factor, facts->memory_requested));
	char size[SIZE_TEXT], asked[SIZE_TEXT], other[TEXT_MAX];
	struct memory_line line;
	struct report_advice *advice;

	write_other_memory(kills, other);
	if (!(limit > 0) || !make_line(facts, enough, fmax(factor * kills->job_share, 1), &line))
		return;
	advice = advice_add(
		report, line.text,
		"The kernel killed %.0f process%s at the limit of %s.%s How much more is needed is not known: "
		"%s%s is a fair try, and the next report shows what was used.%s",
		kills->job_count, plural_es(kills->job_count), size_text(limit, size), other,
		size_text(isnan(line.per_cpu) ? line.bytes : line.per_cpu, asked), line.unit, line.besides);
	put_amounts(&line, advice);
}

/* The step should ask for more, up to the memory of the job. */
static void advise_after_steps_oom(const struct facts *facts, const struct kills *kills, struct report *report)
{
	double factor = fact_rule(facts, RULE_ADVICE_OOM_FACTOR);
	double enough = advice_round_memory(kills->step_limit * factor), most = kills->step_most;
	double asked = fact_at_most(enough, floor(most / MIB) * MIB);
	char line[TEXT_MAX], size[SIZE_TEXT], whole[SIZE_TEXT], twice[SIZE_TEXT], rest[TEXT_MAX], other[TEXT_MAX];
	struct report_advice *advice;

	if (enough <= most)
		snprintf(rest, sizeof(rest), "%s is a fair try, and the next report shows what was used.",
			 size_text(enough, twice));
	else
		snprintf(rest, sizeof(rest), "%s, a fair try, is more than the job's %s, so this is all of that; if it is "
					     "not enough, raise %s --mem, too.", size_text(enough, twice), size_text(most, whole),
			 facts->no_script ? "salloc's" : "#SBATCH");
	write_other_memory(kills, other);
	advice_write_memory(asked, "srun", line, sizeof(line));
	advice = advice_add(report, line,
		   "The kernel killed %.0f process%s at %s%.16s's own limit of %s, which srun --mem sets.%s How much more "
		   "is needed is not known: %s", kills->step_count, plural_es(kills->step_count),
		   kills->step ? "step " : "a step", kills->step ? kills->step : "", size_text(kills->step_limit, size),
		   other, rest);
	advice->memory_bytes = advice_count(asked);
}

static void advise_after_oom(const struct facts *facts, struct report *report)
{
	struct kills kills;

	read_kills(facts, &kills);
	if (kills.job_count > 0)
		advise_after_jobs_oom(facts, &kills, report);
	if (kills.step_count > 0)
		advise_after_steps_oom(facts, &kills, report);
}

static bool loses_memory(const struct facts *facts)
{
	return facts->memory_per_cpu && advice_cpus_left(facts) < 1;
}

static void advise_more_memory(const struct facts *facts, struct report *report)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), used = facts->memory_near * facts->memory_limit;
	double enough = advice_memory(facts->rules, used);
	char size[SIZE_TEXT], limit[SIZE_TEXT], rounding[TEXT_MAX];
	struct memory_line line;
	struct report_advice *advice;

	if (!(enough > facts->memory_limit) && !loses_memory(facts))
		return;
	if (!make_line(facts, enough, factor * facts->memory_near, &line))
		return;
	advice = advice_add(report, line.text,
			    "It used %s of a limit of %s, which is too near. This is %g x what was used%s, %s.%s",
			    size_text(used, size), size_text(facts->memory_limit, limit), factor, line.unit,
			    write_rounding(factor * used, &line, rounding), line.besides);
	put_amounts(&line, advice);
}

static void advise_as_much_as_used(const struct facts *facts, struct report *report)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), times = factor * facts->memory_used / facts->memory_requested;
	char size[SIZE_TEXT], requested[SIZE_TEXT], rounding[TEXT_MAX];
	struct memory_line line;
	struct report_advice *advice;

	if (!make_line(facts, advice_memory(facts->rules, facts->memory_used), times, &line))
		return;
	advice = advice_add(report, line.text,
			    "It used %s, and asked for %s%s. This is %g x what was used%s, %s.%s",
			    size_text(facts->memory_used, size), size_text(facts->memory_requested, requested),
			    facts->nodes > 1 ? " on a node" : "", factor, line.unit,
			    write_rounding(factor * facts->memory_used, &line, rounding), line.besides);
	put_amounts(&line, advice);
}

static void write_steps(const struct facts *facts, char text[TEXT_MAX])
{
	const char *option = advice_option_of_steps(facts);
	char asked[SIZE_TEXT];

	size_text(facts->steps_memory, asked);
	if (facts->steps_overlap)
		snprintf(text, TEXT_MAX, "Its steps asked for %s together (%s): with less, they would not all start at once.", asked, option);
	else
		snprintf(text, TEXT_MAX, "%s asked for %s (%s): with less, it would not start.",
			 facts->steps > 1 ? "One of its steps" : "Its step", asked, option);
}

static const char *multiplied(const struct facts *facts, const struct memory_line *line)
{
	if (!isnan(line->per_cpu) && facts->nodes > 1)
		return "what the fullest node used";
	if (facts_needs_mapped(facts))
		return "both";
	return facts->memory_upper > facts->memory_used ? "the latter" : "that";
}

static void write_how(const struct facts *facts, const struct memory_line *line, char text[TEXT_MAX])
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), least = factor * facts->sized_bytes;
	char rounding[TEXT_MAX];

	if (line->of_steps)
		write_steps(facts, text);
	else if (facts->sized_tool)
		snprintf(text, TEXT_MAX, "%.*s sizes itself by the available memory: with this, it can have %g x what it used.",
			 (int)utf8_whole(facts->sized_tool, strnlen(facts->sized_tool, NAME_SHOWN)), facts->sized_tool, factor);
	/* The amount is much higher than factor x the used memory, so it has another reason. */
	else if (facts->memory_upper <= facts->memory_used && line->bytes > 2 * least)
		snprintf(text, TEXT_MAX, "Asking for less gains nothing.");
	else
		snprintf(text, TEXT_MAX, "This is %g x %s%s, %s.", factor, multiplied(facts, line), line->unit,
			 write_rounding(least, line, rounding));
	utf8_append(text, TEXT_MAX, "%s", line->besides);
	if (facts->memory_per_cpu && facts->steps > 0 && !line->of_steps)
		utf8_append(text, TEXT_MAX, " If %s srun an amount of memory (--mem-per-cpu), lower that, too.",
			    facts->no_script ? "you give" : "the script gives");
}

/* An exclusive job gets no such advice: other jobs cannot use the memory that it leaves. */
static void advise_less_memory(const struct facts *facts, struct report *report)
{
	double times = fact_rule(facts, RULE_ADVICE_FACTOR) * fmax(facts->memory_fullest, facts->sized_bytes / facts->memory_requested);
	double enough = advice_memory(facts->rules, facts->sized_bytes), steps = advice_round_memory(facts->steps_memory);
	double steps_times = facts->steps_memory / facts->memory_requested;
	char used[SIZE_TEXT], upper[SIZE_TEXT], requested[SIZE_TEXT], mapped[SIZE_TEXT], how[TEXT_MAX];
	const char *node = facts->nodes > 1 ? " on a node" : "";
	struct memory_line line;
	struct report_advice *advice;

	if (facts->exclusive || advice_held_by_tool(facts) || (facts->memory_granted && !loses_memory(facts)))
		return;
	if (!make_line(facts, steps > enough ? steps : enough, steps_times > times ? steps_times : times, &line))
		return;
	line.of_steps = isnan(line.per_cpu) ? steps > enough : steps_times > times;
	if (!rules_saves(facts->rules, line.bytes, facts->memory_requested) && !loses_memory(facts))
		return;
	size_text(facts->memory_used, used);
	size_text(facts->memory_upper, upper);
	size_text(facts->memory_requested, requested);
	write_how(facts, &line, how);
	if (facts_needs_mapped(facts))
		advice = advice_add(report, line.text, "It used %s of %s%s, and %s of mapped files besides. %s", used, requested, node,
				    size_text(facts->memory_mapped, mapped), how);
	else if (facts->memory_upper > facts->memory_used)
		advice = advice_add(report, line.text, "It used %s at least and %s at most of %s%s. %s", used, upper, requested,
				    node, how);
	else
		advice = advice_add(report, line.text, "It used %s of %s%s. %s", used, requested, node, how);
	put_amounts(&line, advice);
}

static void advise_memory(const struct facts *facts, struct report *report)
{
	if (facts->oom_of_job > 0)
		advise_after_oom(facts, report);
	else if (facts_memory_tight(facts))
		advise_more_memory(facts, report);
	else if (facts_above_request(facts))
		advise_as_much_as_used(facts, report);
	else if (facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		advise_less_memory(facts, report);
}

static double round_time(double seconds)
{
	if (seconds <= HOUR)
		return advice_round_up(seconds, 5 * MINUTE);
	return advice_round_up(seconds, seconds <= 12 * HOUR ? 15 * MINUTE : HOUR);
}

double advice_time_limit(const struct rules *rules, double elapsed_s, double limit_s)
{
	double wanted = rules->value[RULE_ADVICE_FACTOR] * elapsed_s, least = rules->value[RULE_ADVICE_TIME_MIN];
	double enough = round_time(fmax(wanted, least));
	bool near = rules_time_near(rules, elapsed_s, limit_s) && enough > limit_s;
	bool far = rules_time_long(rules, elapsed_s, limit_s) && rules_saves(rules, enough, limit_s);

	return near || far ? enough : NAN;
}

const char *advice_time_sentence(const struct rules *rules, double elapsed_s, char text[ADVICE_SENTENCE])
{
	double factor = rules->value[RULE_ADVICE_FACTOR];

	if (factor * elapsed_s < rules->value[RULE_ADVICE_TIME_MIN])
		return strcpy(text, "A shorter limit gains nothing.");
	snprintf(text, ADVICE_SENTENCE, "This is %g x that, rounded up.", factor);
	return text;
}

void advice_write_time(double seconds, char *line, size_t size)
{
	char duration[DURATION_TEXT];

	snprintf(line, size, "#SBATCH --time=%s", duration_text(seconds, duration));
}

/* Writes what the job did when its time limit ended it. */
static const char *write_ended(const struct facts *facts, char text[TEXT_MAX])
{
	char limit[DURATION_TEXT], gpus[GPU_FACTS_TEXT];

	worded_duration_text(facts->limit_s, limit);
	if (!facts_waited_for_gpus(facts))
		snprintf(text, TEXT_MAX, "It was at work when its %s ended", limit);
	else if (facts->gpu.busy_read >= 0)
		snprintf(text, TEXT_MAX, "It was ended at its limit of %s, and %s", limit, gpu_facts_text(&facts->gpu, gpus));
	else
		snprintf(text, TEXT_MAX, "What its GPUs did when its %s ended is not known", limit);
	return text;
}

/* How much time the job needs is not known. Doubling the limit takes the fewest tries. */
static void advise_after_timeout(const struct facts *facts, struct report *report)
{
	double enough = round_time(fact_rule(facts, RULE_ADVICE_TIMEOUT_FACTOR) * facts->limit_s);
	char line[TEXT_MAX], asked[DURATION_TEXT], ended[TEXT_MAX];
	struct report_advice *advice;

	if (!(enough > facts->limit_s) || facts_idle_at_end(facts) || facts->unnoticed)
		return;
	advice_write_time(enough, line, sizeof(line));
	advice = advice_add(report, line,
			    "%s. How much more it needs is not known: %s is a fair try, unless it can save its state and continue from "
			    "there.", write_ended(facts, ended), worded_duration_text(enough, asked));
	advice->time_limit_s = advice_count(enough);
}

static void advise_time(const struct facts *facts, struct report *report)
{
	double enough = advice_time_limit(facts->rules, facts->elapsed_s, facts->limit_s);
	char line[TEXT_MAX], elapsed[DURATION_TEXT], limit[DURATION_TEXT], sentence[ADVICE_SENTENCE];
	struct report_advice *advice;

	if (isnan(enough) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		return;
	advice_write_time(enough, line, sizeof(line));
	advice = advice_add(report, line, "It took %s of %s. %s", duration_text(facts->elapsed_s, elapsed),
			    duration_text(facts->limit_s, limit),
			    advice_time_sentence(facts->rules, facts->elapsed_s, sentence));
	advice->time_limit_s = advice_count(enough);
}

static void make_options(struct report_advice_list *list)
{
	const size_t length = strlen("#SBATCH ");

	for (size_t i = 0; i < list->count; i++) {
		const char *line = list->items[i].line;

		if (line && strncmp(line, "#SBATCH ", length) == 0)
			list->items[i].line = line + length;
	}
}

void advice_put(const struct facts *facts, struct report *report)
{
	if (facts->so_far) /* the right amounts are known only at the end */
		return;
	advice_nodes(facts, report);
	advise_memory(facts, report);
	advice_cpus(facts, report);
	advice_gpus(facts, report);
	advice_tasks(facts, report);
	if (facts->timed_out)
		advise_after_timeout(facts, report);
	else
		advise_time(facts, report);
	if (facts->no_script)
		make_options(&report->advice);
}
