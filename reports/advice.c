/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reports/advice_part.h"
#include "reports/field.h"
#include "reports/units.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define TEXT_MAX 512

void advice_add(struct json_object *list, const char *line, const char *format, ...)
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
}

bool advice_is_sound(const struct facts *facts)
{
	return facts->complete && facts->completed && !(facts->oom_kills > 0) &&
	       facts->elapsed_s >= fact_rule(facts, RULE_ADVICE_ELAPSED);
}

static double round_up(double value, double unit)
{
	return ceil(value / unit) * unit;
}

/* ---- memory ---- */

double advice_round_memory(double bytes)
{
	if (bytes <= GIB)
		return round_up(bytes, 64 * MIB);
	if (bytes <= 4 * GIB)
		return round_up(bytes, 512 * MIB);
	return round_up(bytes, bytes <= 64 * GIB ? GIB : 8 * GIB);
}

void advice_write_memory(double bytes, char *line, size_t size)
{
	if (fmod(bytes, GIB) == 0)
		snprintf(line, size, "#SBATCH --mem=%.0fG", bytes / GIB);
	else
		snprintf(line, size, "#SBATCH --mem=%.0fM", ceil(bytes / MIB));
}

/* Slurm refuses both at once. */
static const char *instead(const struct facts *facts)
{
	const char *source = field_text(facts->report, "requested.memory_source");

	return source && strcmp(source, "per cpu") == 0 ? " It stands in the place of --mem-per-cpu." : "";
}

/* The limits that a process was killed at, and the job's own; the highest. */
static double killing_limit(const struct facts *facts)
{
	struct json_object *list = field_typed(facts->report, "oom", json_type_array);
	double limit = facts->memory_limit;

	for (size_t i = 0; i < field_length(list); i++)
		limit = fmax(limit, fact_number(json_object_array_get_idx(list, i), "limit_bytes"));
	return limit;
}

/* How much it needs is not known, but that it is more than the limit: doubling finds it in the fewest tries. */
static void advise_after_oom(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_OOM_FACTOR), limit = killing_limit(facts);
	char line[TEXT_MAX], size[SIZE_TEXT];

	if (!(limit > 0))
		return;
	advice_write_memory(advice_round_memory(fmax(limit * factor, facts->memory_requested)), line, sizeof(line));
	advice_add(list, line,
		   "The kernel killed %.0f process%s at the limit of %s. How much more is needed is not known: "
		   "%g x the limit is a fair try, and the next report tells what was used.%s",
		   facts->oom_kills, facts->oom_kills == 1 ? "" : "es", size_text(limit, size), factor, instead(facts));
}

static void advise_more_memory(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), used = facts->memory_near * facts->memory_limit;
	double enough = advice_round_memory(factor * used);
	char line[TEXT_MAX], size[SIZE_TEXT], limit[SIZE_TEXT];

	if (!(facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR)) || !(enough > facts->memory_limit))
		return;
	advice_write_memory(enough, line, sizeof(line));
	advice_add(list, line, "It used %s of a limit of %s: too near. This is %g x what was used, rounded up.%s",
		   size_text(used, size), size_text(facts->memory_limit, limit), factor, instead(facts));
}

static void advise_less_memory(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR), saving = fact_rule(facts, RULE_ADVICE_SAVING);
	double enough = advice_round_memory(factor * facts->memory_upper);
	char line[TEXT_MAX], used[SIZE_TEXT], upper[SIZE_TEXT], requested[SIZE_TEXT];
	const char *node = facts->nodes > 1 ? " on a node" : "";

	if (!(enough > 0) || !(enough <= (1 - saving) * facts->memory_requested))
		return;
	advice_write_memory(enough, line, sizeof(line));
	size_text(facts->memory_used, used);
	size_text(facts->memory_upper, upper);
	size_text(facts->memory_requested, requested);
	if (facts->memory_upper > facts->memory_used)
		advice_add(list, line,
			   "It used %s at least and %s at most of %s%s. This is %g x the latter, rounded up.%s", used,
			   upper, requested, node, factor, instead(facts));
	else
		advice_add(list, line, "It used %s of %s%s. This is %g x that, rounded up.%s", used, requested, node,
			   factor, instead(facts));
}

static void advise_memory(const struct facts *facts, struct json_object *list)
{
	if (facts->oom_kills > 0)
		advise_after_oom(facts, list);
	else if (facts->memory_near >= fact_rule(facts, RULE_MEMORY_NEAR))
		advise_more_memory(facts, list);
	else if (advice_is_sound(facts))
		advise_less_memory(facts, list);
}

/* ---- time ---- */

double advice_round_time(double seconds)
{
	if (seconds <= HOUR)
		return round_up(seconds, 5 * MINUTE);
	return round_up(seconds, seconds <= 12 * HOUR ? 15 * MINUTE : HOUR);
}

/* Less when it saves much, more when it was a near thing; after a time-out no one knows how much more. */
static void advise_time(const struct facts *facts, struct json_object *list)
{
	double factor = fact_rule(facts, RULE_ADVICE_FACTOR);
	double enough = advice_round_time(fmax(factor * facts->elapsed_s, fact_rule(facts, RULE_ADVICE_TIME_MIN)));
	char line[TEXT_MAX], duration[DURATION_TEXT], elapsed[DURATION_TEXT], limit[DURATION_TEXT];
	bool near = facts->elapsed_s >= fact_rule(facts, RULE_TIME_NEAR) * facts->limit_s && enough > facts->limit_s;
	bool far = facts->limit_s >= fact_rule(facts, RULE_TIME_OVER_MIN) &&
		   facts->limit_s >= fact_rule(facts, RULE_TIME_OVER) * facts->elapsed_s &&
		   enough <= (1 - fact_rule(facts, RULE_ADVICE_SAVING)) * facts->limit_s;

	if (!advice_is_sound(facts) || (!near && !far))
		return;
	snprintf(line, sizeof(line), "#SBATCH --time=%s", duration_text(enough, duration));
	duration_text(facts->elapsed_s, elapsed);
	duration_text(facts->limit_s, limit);
	if (factor * facts->elapsed_s < fact_rule(facts, RULE_ADVICE_TIME_MIN))
		advice_add(list, line, "It took %s of %s. A limit below this wins nothing.", elapsed, limit);
	else
		advice_add(list, line, "It took %s of %s. This is %g x that, rounded up.", elapsed, limit, factor);
}

void advice_put(const struct facts *facts, struct json_object *list)
{
	advise_memory(facts, list);
	advice_cpus(facts, list);
	advise_time(facts, list);
}
