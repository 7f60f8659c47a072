/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/group_advice.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/units.h"
#include "reports/rules/looks.h"
#include "reports/rules/rules.h"
#include "reports/verdict/advice.h"

#define LINE_TEXT 128

static void set_advice(struct group_advice *advice, double value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_advice(struct group_advice *advice, double value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(advice->reason, sizeof(advice->reason), format, args);
	va_end(args);
	advice->value = value;
}

static double per_node(const struct summary *row)
{
	return row->memory_requested / row->nodes;
}

/*
 * A task that only slept does not show what it needs. A task that waited for files or the network shows this.
 * In a summary, only the verdict and the CPU time distinguish these tasks.
 */
static bool did_nothing(const struct summary *row, const struct rules *rules)
{
	return row->bound && strcmp(row->bound, "idle") == 0 &&
	       row->cpu_s < rules->value[RULE_ADVICE_ACTIVE] * row->elapsed_s;
}

/* A job can complete although a command of its script failed. */
static bool ended_well(const struct summary *row)
{
	return row->complete && row->state && strcmp(row->state, "COMPLETED") == 0 &&
	       !(looks_of_codes(row->findings) & (UINT64_C(1) << FINDING_WORK_FAILED));
}

static bool is_sound(const struct summary *row, const struct rules *rules)
{
	return ended_well(row) && !did_nothing(row, rules) && row->elapsed_s >= rules->value[RULE_ADVICE_ELAPSED];
}

static size_t count_sound(const struct summary *rows, size_t count, const struct rules *rules)
{
	size_t sound = 0;

	for (size_t i = 0; i < count; i++)
		sound += is_sound(&rows[i], rules);
	return sound;
}

/*
 * A job that failed, was cancelled or still runs may have been about to use more.
 * The owner of such a job may paste the advice to run the job again.
 */
static bool all_ended_well(const struct summary *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!ended_well(&rows[i]))
			return false;
	return true;
}

static bool show_needs(const struct summary *rows, size_t count, const struct rules *rules)
{
	return all_ended_well(rows, count) && count_sound(rows, count, rules) > 0;
}

/* Returns bytes; NAN if unknown. */
static double memory_needed(const struct summary *row, const struct rules *rules)
{
	double upper = fmax(row->memory_used, row->memory_upper), enough;

	/* The task ran out of memory or nearly did, so its advice is above the limit. */
	if (row->advised_memory > per_node(row))
		return row->advised_memory;
	enough = advice_memory(rules, upper);
	if (isnan(enough) || !(row->memory_mapped > 0))
		return enough;
	/* The task had enough memory, so mapped files are no reason to ask for more. */
	return fmin(advice_memory(rules, fmax(upper, row->memory_used + row->memory_mapped)), fmax(enough, per_node(row)));
}

/*
 * Returns true if the task's own advice is above @needed, because its steps cannot start with less memory.
 * @needed: bytes that the task needs, computed from the memory that it used.
 */
static bool has_steps_to_start(const struct summary *row, double needed)
{
	return row->advised_memory > needed && row->advised_memory <= per_node(row);
}

static void advise_memory(struct group_advice *advice, const struct summary *rows, size_t count,
			  const struct rules *rules, const char *who)
{
	double most = 0, had = 0;
	const struct summary *whose = NULL;
	bool too_small = false, exclusive = false, for_steps = false, granted = true;
	char id[SUMMARY_ID_TEXT], used[SIZE_TEXT], requested[SIZE_TEXT];
	const char *in_place = "";

	for (size_t i = 0; i < count; i++) {
		double needed = memory_needed(&rows[i], rules);
		bool steps = has_steps_to_start(&rows[i], needed);

		if (!rows[i].path) /* the task runs or waits */
			continue;
		/* If the need of one task is not known, no amount is known to be enough. */
		if (isnan(needed) || isnan(per_node(&rows[i])) || rows[i].memory_by_cpu)
			return;
		had = fmax(had, per_node(&rows[i]));
		exclusive |= rows[i].exclusive;
		granted &= rows[i].memory_by_default && isnan(rows[i].advised_memory); /* the memory came with the CPUs */
		too_small |= rows[i].advised_memory > per_node(&rows[i]);
		if (!*in_place)
			in_place = advice_in_place(rows[i].memory_source);
		if (steps)
			needed = rows[i].advised_memory;
		if (needed <= most)
			continue;
		most = needed;
		whose = &rows[i];
		for_steps = steps;
	}
	if (!whose || (most <= had && (exclusive || granted || !rules_saves(rules, most, had))))
		return;
	/* All tasks had enough memory, with less headroom than advised. That is no reason to ask for more. */
	if (most > had && !too_small)
		return;
	size_text(whose->memory_used, used);
	size_text(per_node(whose), requested);
	if (most > had)
		set_advice(advice, most, "%c%s %s used %s of %s, and needs more.%s", toupper((unsigned char)*who),
			   who + 1, summary_id(whose, id), used, requested, in_place);
	else if (show_needs(rows, count, rules) && for_steps)
		set_advice(advice, most,
			   "%c%s %s used %s of %s. With less than this, which srun --mem asks for, its steps would not start.%s",
			   toupper((unsigned char)*who), who + 1, summary_id(whose, id), used, requested, in_place);
	else if (show_needs(rows, count, rules))
		set_advice(advice, most,
			   "The largest, %s %s, used %s of %s. This is %g x the most that it can have used, rounded up.%s",
			   who, summary_id(whose, id), used, requested, rules->value[RULE_ADVICE_FACTOR], in_place);
}

/* Returns NULL if these jobs do not show which time limit is enough. */
static const struct summary *find_longest(const struct summary *rows, size_t count)
{
	const struct summary *longest = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].path) /* the job runs or waits */
			continue;
		/* Nobody knows how much longer a timed-out job would have run. */
		if (rows[i].state && strcmp(rows[i].state, "TIMEOUT") == 0)
			return NULL;
		if (isnan(rows[i].elapsed_s) || !(rows[i].limit_s > 0))
			return NULL;
		if (!longest || rows[i].elapsed_s > longest->elapsed_s)
			longest = &rows[i];
	}
	return longest && !isinf(longest->limit_s) ? longest : NULL;
}

static void advise_time(struct group_advice *advice, const struct summary *rows, size_t count,
			const struct rules *rules, const char *who)
{
	const struct summary *longest = find_longest(rows, count);
	char id[SUMMARY_ID_TEXT], elapsed[DURATION_TEXT], limit[DURATION_TEXT], sentence[ADVICE_SENTENCE];
	double enough = longest ? advice_time_limit(rules, longest->elapsed_s, longest->limit_s) : NAN;

	if (isnan(enough) || count_sound(rows, count, rules) == 0 ||
	    (enough < longest->limit_s && !all_ended_well(rows, count)))
		return;
	set_advice(advice, enough, "The longest, %s %s, took %s of %s. %s", who, summary_id(longest, id),
		   duration_text(longest->elapsed_s, elapsed), duration_text(longest->limit_s, limit),
		   advice_time_sentence(rules, longest->elapsed_s, sentence));
}

/*
 * Advises fewer CPUs if all tasks that show their need got this advice.
 * This advice must have --ntasks=1 for all of these tasks, or for none of them.
 */
static void advise_cpus(struct group_advice *advice, bool *one_task, const struct summary *rows, size_t count,
			const struct rules *rules, const char *who)
{
	const struct summary *whose = NULL;
	char id[SUMMARY_ID_TEXT];
	double most = 0, had = 0;

	for (size_t i = 0; i < count; i++) {
		double advised = rows[i].advised_cpus;

		if (!is_sound(&rows[i], rules))
			continue;
		if (isnan(advised) || (whose && rows[i].advised_one_task != whose->advised_one_task))
			return;
		had = fmax(had, rows[i].cpus);
		if (advised <= most)
			continue;
		most = advised;
		whose = &rows[i];
	}
	if (!whose || !all_ended_well(rows, count))
		return;
	*one_task = whose->advised_one_task;
	set_advice(advice, most, "This is the most that any of them needs: %s %s, of %.0f CPUs.", who, summary_id(whose, id),
		   had);
}

/* With memory per CPU, fewer CPUs get less memory, so the job needs a line for the memory, too. */
static bool memory_goes_by_cpu(const struct summary *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (advice_is_per_cpu(rows[i].memory_source))
			return true;
	return false;
}

void group_advise(const struct summary *rows, size_t count, const struct conf *conf, const char *who,
		  struct group_advices *advices)
{
	struct rules rules;

	*advices = (struct group_advices){ { NAN, "" }, { NAN, "" }, { NAN, "" }, false };
	rules_of_site(&rules, conf, NULL);
	advise_memory(&advices->memory, rows, count, &rules, who);
	advise_cpus(&advices->cpus, &advices->one_task, rows, count, &rules, who);
	advise_time(&advices->time, rows, count, &rules, who);
	if (isnan(advices->memory.value) && memory_goes_by_cpu(rows, count))
		advices->cpus.value = NAN;
}

const char *group_silence(const struct summary *rows, size_t count, const struct conf *conf)
{
	struct rules rules;

	rules_of_site(&rules, conf, NULL);
	if (!all_ended_well(rows, count))
		return "Not all of these tasks are known to have completed, so there is no advice to ask for less.";
	if (count_sound(rows, count, &rules) == 0)
		return "None of these tasks shows what it needs: they were too short, or did nothing.";
	return "No line would save anything and fit all of these tasks.";
}

void group_write_cpus(const struct group_advices *advices, char *line, size_t size)
{
	advice_write_cpus(advices->cpus.value, advices->one_task ? "--ntasks=1 " : "", line, size);
}

struct advised {
	char line[LINE_TEXT];
	const struct group_advice *advice;
};

static void print_reason(struct page *page, const struct advised *advised)
{
	cleanup_free char *text = NULL;

	if (asprintf(&text, "%s: %s", advised->line, advised->advice->reason) >= 0)
		page_wrapped(page, &(struct page_wrap){ .first = "  " }, text);
}

/* Prints all lines before the reasons, because Slurm reads no #SBATCH line below other text. */
void group_print_advice(struct page *page, const struct summary *rows, size_t count, const struct conf *conf)
{
	struct group_advices advices;
	struct advised all[] = { { "", &advices.memory }, { "", &advices.cpus }, { "", &advices.time } };
	const size_t all_count = sizeof(all) / sizeof(all[0]);

	group_advise(rows, count, conf, "task", &advices);
	if (isnan(advices.memory.value) && isnan(advices.cpus.value) && isnan(advices.time.value)) {
		fputc('\n', page->out);
		page_wrapped(page, &(struct page_wrap){ .first = "Next time: ", .style = STYLE_HEAD }, group_silence(rows, count, conf));
		return;
	}
	advice_write_memory(fmax(advices.memory.value, 0), "#SBATCH", all[0].line, LINE_TEXT);
	group_write_cpus(&advices, all[1].line, LINE_TEXT);
	advice_write_time(advices.time.value, all[2].line, LINE_TEXT);
	/* Other tasks may still run, so the title says "these tasks". */
	page_head(page, "Next time: lines for the job script that fit these tasks");
	for (size_t i = 0; i < all_count; i++)
		if (!isnan(all[i].advice->value)) {
			terminal_styled(page->options, STYLE_GOOD, all[i].line, page->out);
			fputc('\n', page->out);
		}
	page_head(page, "Why these lines");
	for (size_t i = 0; i < all_count; i++)
		if (!isnan(all[i].advice->value))
			print_reason(page, &all[i]);
}
