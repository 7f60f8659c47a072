/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to ask for, so that each task of an array fits. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/advice_part.h"
#include "reports/group.h"
#include "reports/page_part.h"
#include "reports/rules.h"
#include "reports/units.h"

#define LINE_TEXT 128
#define MIB (1024.0 * 1024)

static void say(struct group_advice *advice, double value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(struct group_advice *advice, double value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(advice->reason, sizeof(advice->reason), format, args);
	va_end(args);
	advice->value = value;
}

/* ---- what single tasks were told ---- */

/* The number behind @option in the task's own advice, and where it ends; NAN when there is none. */
static double advised(const struct row *row, const char *option, char *unit)
{
	const char *at = row->advice ? strstr(row->advice, option) : NULL;
	char *end;
	double value;

	if (!at)
		return NAN;
	value = strtod(at + strlen(option), &end);
	*unit = *end;
	return end > at + strlen(option) && value > 0 ? value : NAN;
}

static double advised_memory(const struct row *row)
{
	char unit = 0;
	double value = advised(row, " --mem=", &unit);

	return unit == 'G' ? value * 1024 * MIB : unit == 'M' ? value * MIB : NAN;
}

static double per_node(const struct row *row)
{
	return row->memory_requested / row->nodes;
}

/* What was used tells what is needed. */
static bool is_sound(const struct row *row, const struct rules *rules)
{
	return row->complete && row->state && strcmp(row->state, "COMPLETED") == 0 &&
	       row->elapsed_s >= rules->value[RULE_ADVICE_ELAPSED];
}

static size_t count_sound(const struct row *rows, size_t count, const struct rules *rules)
{
	size_t sound = 0;

	for (size_t i = 0; i < count; i++)
		sound += is_sound(&rows[i], rules);
	return sound;
}

/* ---- memory ---- */

/* What this task would be given; NAN where that is not known. */
static double memory_needed(const struct row *row, const struct rules *rules)
{
	double told = advised_memory(row), upper = fmax(row->memory_used, row->memory_upper);
	double enough = advice_round_memory(rules->value[RULE_ADVICE_FACTOR] * upper);

	/* One that was killed for memory, or nearly, was told a number above its limit. */
	return told > per_node(row) ? told : enough;
}

static void advise_memory(struct group_advice *advice, const struct row *rows, size_t count, const struct rules *rules,
			  const char *who)
{
	double most = 0, had = 0;
	const struct row *whose = NULL;
	char id[ROW_ID_TEXT], used[SIZE_TEXT], requested[SIZE_TEXT];
	const char *instead = "";

	for (size_t i = 0; i < count; i++) {
		double needed = memory_needed(&rows[i], rules);

		/* Of one without a number nobody knows whether it would fit. */
		if (isnan(needed) || isnan(per_node(&rows[i])))
			return;
		had = fmax(had, per_node(&rows[i]));
		if (rows[i].memory_source && strcmp(rows[i].memory_source, "per cpu") == 0)
			instead = " It stands in the place of --mem-per-cpu.";
		if (needed <= most)
			continue;
		most = needed;
		whose = &rows[i];
	}
	if (!whose || (most <= had && !(most <= (1 - rules->value[RULE_ADVICE_SAVING]) * had)))
		return;
	size_text(whose->memory_used, used);
	size_text(per_node(whose), requested);
	if (most > had)
		say(advice, most, "%c%s %s used %s of %s, and needs more.%s", toupper((unsigned char)*who), who + 1,
		    row_id(whose, id), used, requested, instead);
	else if (count_sound(rows, count, rules) > 0)
		say(advice, most,
		    "The largest, %s %s, used %s of %s. This is %g x the most that it can have been, "
		    "rounded up.%s",
		    who, row_id(whose, id), used, requested, rules->value[RULE_ADVICE_FACTOR], instead);
}

/* ---- time ---- */

static void advise_time(struct group_advice *advice, const struct row *rows, size_t count, const struct rules *rules,
			const char *who)
{
	const struct row *longest = NULL;
	char id[ROW_ID_TEXT], elapsed[DURATION_TEXT], limit[DURATION_TEXT];
	double enough;
	bool near, far;

	for (size_t i = 0; i < count; i++) {
		/* After a time-out nobody knows how much more it takes. */
		if (rows[i].state && strcmp(rows[i].state, "TIMEOUT") == 0)
			return;
		if (isnan(rows[i].elapsed_s) || !(rows[i].limit_s > 0))
			return;
		if (!longest || rows[i].elapsed_s > longest->elapsed_s)
			longest = &rows[i];
	}
	if (!longest || isinf(longest->limit_s) || count_sound(rows, count, rules) == 0)
		return;
	enough = advice_round_time(
		fmax(rules->value[RULE_ADVICE_FACTOR] * longest->elapsed_s, rules->value[RULE_ADVICE_TIME_MIN]));
	near = longest->elapsed_s >= rules->value[RULE_TIME_NEAR] * longest->limit_s && enough > longest->limit_s;
	far = longest->limit_s >= rules->value[RULE_TIME_OVER_MIN] &&
	      longest->limit_s >= rules->value[RULE_TIME_OVER] * longest->elapsed_s &&
	      enough <= (1 - rules->value[RULE_ADVICE_SAVING]) * longest->limit_s;
	if (!near && !far)
		return;
	say(advice, enough, "The longest, %s %s, took %s of %s. This is %g x that, rounded up.", who,
	    row_id(longest, id), duration_text(longest->elapsed_s, elapsed), duration_text(longest->limit_s, limit),
	    rules->value[RULE_ADVICE_FACTOR]);
}

/* ---- CPUs ---- */

/* Fewer, where each task that tells what it needs was told so. */
static void advise_cpus(struct group_advice *advice, const struct row *rows, size_t count, const struct rules *rules,
			const char *who)
{
	const struct row *whose = NULL;
	char id[ROW_ID_TEXT], unit = 0;
	double most = 0, had = 0;

	for (size_t i = 0; i < count; i++) {
		double told = advised(&rows[i], "--cpus-per-task=", &unit);

		if (!is_sound(&rows[i], rules))
			continue;
		if (isnan(told))
			return;
		had = fmax(had, rows[i].cpus);
		if (told <= most)
			continue;
		most = told;
		whose = &rows[i];
	}
	if (!whose)
		return;
	say(advice, most, "It is the most that any needs, %s %s, of %.0f CPUs.", who, row_id(whose, id), had);
}

void group_advise(const struct row *rows, size_t count, const struct conf *conf, const char *who,
		  struct group_advices *advices)
{
	struct rules rules;

	*advices = (struct group_advices){ { NAN, "" }, { NAN, "" }, { NAN, "" } };
	rules_defaults(&rules);
	for (unsigned int i = 0; i < conf->rule_count; i++)
		rules_set(&rules, conf->rules[i].name, conf->rules[i].value, NULL);
	advise_memory(&advices->memory, rows, count, &rules, who);
	advise_cpus(&advices->cpus, rows, count, &rules, who);
	advise_time(&advices->time, rows, count, &rules, who);
}

/* ---- as lines of a job script ---- */

static void print_line(const char *line, const struct group_advice *advice, const struct page_options *options,
		       FILE *out)
{
	struct page page = { .options = options, .out = out };

	if (isnan(advice->value))
		return;
	fprintf(out, "%s%s%s\n", terminal_on(options, STYLE_ACCENT), line, terminal_off(options));
	page_wrapped(&page, &(struct page_wrap){ .first = "    " }, advice->reason);
}

void group_print_advice(const struct row *rows, size_t count, const struct conf *conf,
			const struct page_options *options, FILE *out)
{
	struct group_advices advices;
	char line[LINE_TEXT], text[DURATION_TEXT];

	group_advise(rows, count, conf, "task", &advices);
	if (isnan(advices.memory.value) && isnan(advices.cpus.value) && isnan(advices.time.value))
		return;
	fprintf(out, "\n%sAdvice that fits all of them, to paste into the job script%s\n",
		terminal_on(options, STYLE_HEAD), terminal_off(options));
	advice_write_memory(fmax(advices.memory.value, 0), line, sizeof(line));
	print_line(line, &advices.memory, options, out);
	snprintf(line, sizeof(line), "#SBATCH --cpus-per-task=%.0f", advices.cpus.value);
	print_line(line, &advices.cpus, options, out);
	snprintf(line, sizeof(line), "#SBATCH --time=%s", duration_text(fmax(advices.time.value, 0), text));
	print_line(line, &advices.time, options, out);
}
