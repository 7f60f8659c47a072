/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/verdict/advice_internal.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define TEXT_MAX 512
#define COUNT_MAX 9e18 /* below INT64_MAX */

struct json_object *advice_add(struct json_object *list, const char *line, const char *format, ...)
{
	struct json_object *advice = json_object_new_object();
	char reason[TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	put_text(advice, "line", line);
	put_text(advice, "reason", reason);
	json_object_array_add(list, advice);
	return advice;
}

void advice_put_value(struct json_object *advice, const char *name, double value)
{
	if (value < COUNT_MAX)
		put_count(advice, name, llround(value));
}

static double round_up(double value, double unit)
{
	return ceil(value / unit) * unit;
}

/* ---- memory ---- */

static double round_memory(double bytes)
{
	if (bytes <= GIB)
		return round_up(bytes, 64 * MIB);
	if (bytes <= 4 * GIB)
		return round_up(bytes, 512 * MIB);
	return round_up(bytes, bytes <= 64 * GIB ? GIB : 8 * GIB);
}

double advice_memory(const struct rules *rules, double most)
{
	return round_memory(rules->value[RULE_ADVICE_FACTOR] * most);
}

void advice_write_memory(double bytes, const char *command, char *line, size_t size)
{
	if (fmod(bytes, GIB) == 0)
		snprintf(line, size, "%s --mem=%.0fG", command, bytes / GIB);
	else
		snprintf(line, size, "%s --mem=%.0fM", command, ceil(bytes / MIB));
}

const char *advice_in_place(const char *memory_source)
{
	bool per_cpu = memory_source && strcmp(memory_source, "per cpu") == 0;

	return per_cpu ? " It stands in the place of --mem-per-cpu." : "";
}

static const char *in_place(const struct facts *facts)
{
	return advice_in_place(field_text(facts->report, "requested.memory_source"));
}

/* The kernel's kills for memory: those at the limit of a step or a task below the job's own limit, and the others. */
struct kills {
	double job_count, job_limit;
	double step_count, step_limit; /* the highest */
	const char *step;              /* the step with that limit */
};

static void read_kills(const struct facts *facts, struct kills *kills)
{
	struct json_object *list = field_typed(facts->report, "oom", json_type_array);

	*kills = (struct kills){ .job_limit = facts->memory_limit, .step_limit = NAN };
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		double limit = fact_number(victim, "limit_bytes");

		if (!(limit < facts->memory_limit)) {
			kills->job_limit = fmax(kills->job_limit, limit);
			continue;
		}
		kills->step_count++;
		if (limit <= kills->step_limit)
			continue;
		kills->step_limit = limit;
		kills->step = field_text(victim, "step");
	}
	kills->job_count = facts->oom_kills - kills->step_count;
}

/* The job needs more than the limit, and nobody knows how much more. Doubling finds it in the fewest tries. */
static void advise_after_jobs_oom(const struct facts *facts, const struct kills *kills, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_OOM_FACTOR), limit = kills->job_limit;
	double enough = round_memory(fmax(limit * factor, facts->memory_requested));
	char line[TEXT_MAX], size[SIZE_TEXT], asked[SIZE_TEXT];
	struct json_object *advice;

	if (!(limit > 0))
		return;
	advice_write_memory(enough, "#SBATCH", line, sizeof(line));
	advice = advice_add(
		list, line,
		"The kernel killed %.0f process%s at the limit of %s. How much more is needed is not known: "
		"%s is a fair try, and the next report shows what was used.%s",
		kills->job_count, kills->job_count == 1 ? "" : "es", size_text(limit, size), size_text(enough, asked),
		in_place(facts));
	advice_put_value(advice, "memory_bytes", enough);
}

/* The job has more memory than its step got. So the step is to ask for more, and for no more than the job has. */
static void advise_after_steps_oom(const struct facts *facts, const struct kills *kills, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_OOM_FACTOR);
	double enough = round_memory(kills->step_limit * factor), most = facts->memory_limit;
	double asked = fact_at_most(enough, floor(most / MIB) * MIB);
	char line[TEXT_MAX], size[SIZE_TEXT], whole[SIZE_TEXT], twice[SIZE_TEXT], rest[TEXT_MAX];
	struct json_object *advice;

	if (enough <= most)
		snprintf(rest, sizeof(rest), "%s is a fair try, and the next report shows what was used.",
			 size_text(enough, twice));
	else
		snprintf(rest, sizeof(rest), "%s, a fair try, is above the job's %s, and this is all of that; if it is not "
			 "enough, raise #SBATCH --mem, too.", size_text(enough, twice), size_text(most, whole));
	advice_write_memory(asked, "srun", line, sizeof(line));
	advice = advice_add(list, line,
		   "The kernel killed %.0f process%s at %s%.16s's own limit of %s, which srun --mem sets. How much more "
		   "is needed is not known: %s", kills->step_count, kills->step_count == 1 ? "" : "es",
		   kills->step ? "step " : "a step", kills->step ? kills->step : "", size_text(kills->step_limit, size),
		   rest);
	advice_put_value(advice, "memory_bytes", asked);
}

static void advise_after_oom(const struct facts *facts, struct json_object *list)
{
	struct kills kills;

	read_kills(facts, &kills);
	if (kills.job_count > 0)
		advise_after_jobs_oom(facts, &kills, list);
	if (kills.step_count > 0)
		advise_after_steps_oom(facts, &kills, list);
}

static void advise_more_memory(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), used = facts->memory_near * facts->memory_limit;
	double enough = advice_memory(facts->rules, used);
	char line[TEXT_MAX], size[SIZE_TEXT], limit[SIZE_TEXT];
	struct json_object *advice;

	if (!(facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR)) || !(enough > facts->memory_limit))
		return;
	advice_write_memory(enough, "#SBATCH", line, sizeof(line));
	advice = advice_add(list, line,
			    "It used %s of a limit of %s: too near. This is %g x what was used, rounded up.%s",
			    size_text(used, size), size_text(facts->memory_limit, limit), factor, in_place(facts));
	advice_put_value(advice, "memory_bytes", enough);
}

static void advise_less_memory(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR);
	double enough = advice_memory(facts->rules, facts->memory_upper);
	char line[TEXT_MAX], used[SIZE_TEXT], upper[SIZE_TEXT], requested[SIZE_TEXT];
	const char *node = facts->nodes > 1 ? " on a node" : "";
	struct json_object *advice;

	if (!(enough > 0) || !rules_saves(facts->rules, enough, facts->memory_requested))
		return;
	advice_write_memory(enough, "#SBATCH", line, sizeof(line));
	size_text(facts->memory_used, used);
	size_text(facts->memory_upper, upper);
	size_text(facts->memory_requested, requested);
	if (facts->memory_upper > facts->memory_used)
		advice =
			advice_add(list, line,
				   "It used %s at least and %s at most of %s%s. This is %g x the latter, rounded up.%s",
				   used, upper, requested, node, factor, in_place(facts));
	else if (enough > 2 * factor * facts->memory_upper) /* that, rounded up, is no more the reason */
		advice = advice_add(list, line, "It used %s of %s%s. Less than this wins nothing.%s", used, requested, node,
				    in_place(facts));
	else
		advice = advice_add(list, line, "It used %s of %s%s. This is %g x that, rounded up.%s", used, requested,
				    node, factor, in_place(facts));
	advice_put_value(advice, "memory_bytes", enough);
}

static void advise_memory(const struct facts *facts, struct json_object *list)
{
	if (facts->oom_kills > 0)
		advise_after_oom(facts, list);
	else if (facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR))
		advise_more_memory(facts, list);
	else if (facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		advise_less_memory(facts, list);
}

/* ---- time ---- */

static double round_time(double seconds)
{
	if (seconds <= HOUR)
		return round_up(seconds, 5 * MINUTE);
	return round_up(seconds, seconds <= 12 * HOUR ? 15 * MINUTE : HOUR);
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
		return strcpy(text, "A limit below this wins nothing.");
	snprintf(text, ADVICE_SENTENCE, "This is %g x that, rounded up.", factor);
	return text;
}

void advice_write_time(double seconds, char *line, size_t size)
{
	char duration[DURATION_TEXT];

	snprintf(line, size, "#SBATCH --time=%s", duration_text(seconds, duration));
}

/* Nobody knows how much longer the job takes. Doubling finds it in the fewest tries. */
static void advise_after_timeout(const struct facts *facts, struct json_object *list)
{
	double enough = round_time(fact_rule(facts, RULE_ADVICE_TIMEOUT_FACTOR) * facts->limit_s);
	bool gpus = facts_waited_for_gpus(facts);
	char line[TEXT_MAX], asked[DURATION_TEXT], limit[DURATION_TEXT];
	struct json_object *advice;

	if (!(enough > facts->limit_s) || facts_idle_at_end(facts))
		return;
	advice_write_time(enough, line, sizeof(line));
	advice = advice_add(list, line,
			    "%s when its %s ended%s. How much more it needs is not known: %s is a fair try, unless it "
			    "can save its state and go on from there.", gpus ? "What its GPUs did" : "It was at work",
			    worded_duration_text(facts->limit_s, limit), gpus ? " is not known" : "",
			    worded_duration_text(enough, asked));
	advice_put_value(advice, "time_limit_s", enough);
}

static void advise_time(const struct facts *facts, struct json_object *list)
{
	double enough = advice_time_limit(facts->rules, facts->elapsed_s, facts->limit_s);
	char line[TEXT_MAX], elapsed[DURATION_TEXT], limit[DURATION_TEXT], sentence[ADVICE_SENTENCE];
	struct json_object *advice;

	if (isnan(enough) || !facts_show_needs(facts, RULE_ADVICE_ELAPSED))
		return;
	advice_write_time(enough, line, sizeof(line));
	advice = advice_add(list, line, "It took %s of %s. %s", duration_text(facts->elapsed_s, elapsed),
			    duration_text(facts->limit_s, limit),
			    advice_time_sentence(facts->rules, facts->elapsed_s, sentence));
	advice_put_value(advice, "time_limit_s", enough);
}

void advice_put(const struct facts *facts, struct json_object *list)
{
	if (facts->so_far) /* what to ask for is known at the end */
		return;
	advise_memory(facts, list);
	advice_cpus(facts, list);
	if (facts->timed_out)
		advise_after_timeout(facts, list);
	else
		advise_time(facts, list);
}
