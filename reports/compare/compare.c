/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/compare/compare_stats.h"

struct pair {
	size_t a, b;
};

struct work {
	struct compare *compare;
	struct pair *pairs;
	size_t pair_count;
	double *a, *b, *differences;
};

static double smaller(double a, double b)
{
	return fabs(a) < fabs(b) ? fabs(a) : fabs(b);
}

struct place {
	int64_t task;
	size_t at;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;

	return (one->task > other->task) - (one->task < other->task);
}

static struct place *sorted_places(const struct compare_side *side)
{
	struct place *places = calloc(side->count + 1, sizeof(*places));

	for (size_t i = 0; places && i < side->count; i++)
		places[i] = (struct place){ side->tasks[i], i };
	if (places)
		qsort(places, side->count, sizeof(*places), compare_places);
	return places;
}

/* Pairs the tasks with the same index, if nearly all tasks of the smaller array have a partner. */
static void find_pairs(struct work *work)
{
	const struct compare_side *a = &work->compare->a, *b = &work->compare->b;
	cleanup_free struct place *left = sorted_places(a), *right = sorted_places(b);
	size_t fewer = a->count < b->count ? a->count : b->count;

	for (size_t i = 0, k = 0; left && right && i < a->count && k < b->count;) {
		if (left[i].task < right[k].task) {
			i++;
		} else if (left[i].task > right[k].task) {
			k++;
		} else {
			if (left[i].task >= 0)
				work->pairs[work->pair_count++] = (struct pair){ left[i].at, right[k].at };
			i++;
			k++;
		}
	}
	if (work->pair_count < COMPARE_PAIRS_MIN || work->pair_count * 10 < fewer * 9)
		work->pair_count = 0;
	work->compare->pairs = work->pair_count;
}

static size_t known_values(double *known, const double *values, size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			known[used++] = values[i];
	return used;
}

static size_t known_differences(struct work *work, size_t rule)
{
	const double *a = work->compare->a.values[rule], *b = work->compare->b.values[rule];
	size_t used = 0;

	for (size_t i = 0; i < work->pair_count; i++) {
		double difference = b[work->pairs[i].b] - a[work->pairs[i].a];

		if (!isnan(difference))
			work->differences[used++] = difference;
	}
	return used;
}

/* The result is the same if A and B are exchanged. */
static bool is_large(const struct compare *compare, const struct compare_rule *rule, double a, double b, double delta)
{
	double elapsed = smaller(compare->lines[COMPARE_ELAPSED].a, compare->lines[COMPARE_ELAPSED].b);
	double relative = rule->relative, unsure = compare_rules[COMPARE_ELAPSED].floor / elapsed;

	if (rule->by_elapsed && unsure > relative)
		relative = unsure;
	if (delta == 0 || fabs(delta) < rule->floor || fabs(delta) < relative * smaller(a, b))
		return false;
	return rule->elapsed_share <= 0 || isnan(elapsed) || fabs(delta) >= rule->elapsed_share * elapsed;
}

static enum compare_mark mark_of(const struct compare *compare, const struct compare_rule *rule,
				 const struct compare_line *line)
{
	bool other_cpus = compare->a.cpus_asked != compare->b.cpus_asked;

	if (!is_large(compare, rule, line->a, line->b, line->delta))
		return COMPARE_SAME;
	if (!isnan(line->chance) && line->chance >= COMPARE_CHANCE)
		return COMPARE_SAME;
	/* More CPUs should make a job shorter, so no side is better. */
	if (rule->good == COMPARE_NEITHER || (rule == &compare_rules[COMPARE_ELAPSED] && other_cpus))
		return COMPARE_DIFFERS;
	return (line->delta > 0) == (rule->good == COMPARE_MORE) ? COMPARE_BETTER : COMPARE_WORSE;
}

static void find_reason(const struct compare *compare, struct compare_line *line, size_t rule)
{
	const char *a = compare->a.reasons[rule], *b = compare->b.reasons[rule];

	line->mark = COMPARE_UNKNOWN;
	line->reason = a ? a : b ? b : "the report does not have it";
}

/*
 * The sums of a single job are partial if the job was not counted to its end.
 * The elapsed time is never partial, because it comes from Slurm. Arrays leave out incomplete tasks.
 */
static bool is_partial(const struct compare *compare, size_t rule)
{
	return rule != COMPARE_ELAPSED && !compare->arrays && compare->a.incomplete + compare->b.incomplete > 0;
}

static void judge_line(struct work *work, size_t index)
{
	struct compare *compare = work->compare;
	const struct compare_rule *rule = &compare_rules[index];
	struct compare_line *line = &compare->lines[index];
	size_t a = known_values(work->a, compare->a.values[index], compare->a.count);
	size_t b = known_values(work->b, compare->b.values[index], compare->b.count);
	size_t differences = known_differences(work, index);

	line->chance = NAN;
	line->a = stats_quantile(work->a, a, 0.5);
	line->b = stats_quantile(work->b, b, 0.5);
	line->a_low = stats_quantile(work->a, a, 0.25);
	line->a_high = stats_quantile(work->a, a, 0.75);
	line->b_low = stats_quantile(work->b, b, 0.25);
	line->b_high = stats_quantile(work->b, b, 0.75);
	line->delta = line->b - line->a;
	if (differences >= COMPARE_PAIRS_MIN) {
		line->chance = stats_signed_ranks(work->differences, differences);
		line->delta = stats_quantile(work->differences, differences, 0.5);
	} else if (a >= COMPARE_TASKS_MIN && b >= COMPARE_TASKS_MIN) {
		line->chance = stats_mann_whitney(work->a, a, work->b, b);
	}
	line->relative = line->a > 0 ? line->delta / line->a : NAN;
	if (rule->unit == COMPARE_GPU_SHARE && !compare->a.gpus && !compare->b.gpus)
		line->mark = COMPARE_NO_GPUS;
	else if (a == 0 || b == 0)
		find_reason(compare, line, index);
	else if (is_partial(compare, index))
		line->mark = COMPARE_PARTIAL;
	else
		line->mark = mark_of(compare, rule, line);
}

static void count_pairs(struct work *work)
{
	struct compare *compare = work->compare;
	const struct compare_rule *rule = &compare_rules[COMPARE_ELAPSED];

	for (size_t i = 0; i < work->pair_count; i++) {
		double a = compare->a.values[COMPARE_ELAPSED][work->pairs[i].a];
		double b = compare->b.values[COMPARE_ELAPSED][work->pairs[i].b];

		if (isnan(a) || isnan(b) || !is_large(compare, rule, a, b, b - a))
			continue;
		if (b > a)
			compare->longer++;
		else
			compare->shorter++;
	}
}

static bool differs(double a, double b, double relative, double floor)
{
	return fabs(b - a) >= floor && fabs(b - a) >= relative * smaller(a, b);
}

static unsigned int direction(double a, double b, unsigned int more, unsigned int less)
{
	return b > a ? more : less;
}

/* Arrays may have different numbers of tasks, so numbers are compared per task. */
static struct compare_tool mean_per_task(const struct compare_tool *tool, const struct compare_side *side)
{
	double tasks = (double)side->count;
	struct compare_tool mean = *tool;

	mean.runs /= tasks;
	mean.failures /= tasks;
	mean.cpu_s /= tasks;
	mean.wall_s /= tasks;
	return mean;
}

static unsigned int tool_changes(const struct compare_tool *a, const struct compare_tool *b)
{
	double a_run = a->runs > 0 ? a->wall_s / a->runs : 0, b_run = b->runs > 0 ? b->wall_s / b->runs : 0;
	double fewer = a->runs < b->runs ? a->runs : b->runs;
	unsigned int changes = 0;

	if (a->failures != b->failures)
		changes |= direction(a->failures, b->failures, TOOL_MORE_FAILURES, TOOL_FEWER_FAILURES);
	if (differs(a->runs, b->runs, COMPARE_TOOL_RUNS_RELATIVE, 1))
		changes |= direction(a->runs, b->runs, TOOL_MORE_RUNS, TOOL_FEWER_RUNS);
	if (differs(a_run, b_run, COMPARE_TOOL_RELATIVE, 0) && fabs(b_run - a_run) * fewer >= COMPARE_TOOL_FLOOR_S)
		changes |= direction(a_run, b_run, TOOL_SLOWER, TOOL_FASTER);
	if (differs(a->cpu_s, b->cpu_s, COMPARE_TOOL_RELATIVE, COMPARE_TOOL_FLOOR_S))
		changes |= direction(a->cpu_s, b->cpu_s, TOOL_MORE_CPU, TOOL_LESS_CPU);
	return changes;
}

static void add_tool(struct compare *compare, const struct compare_tool *a, const struct compare_tool *b)
{
	struct compare_tool_line line = { .a = a, .b = b };
	struct compare_tool none = { 0 };
	struct compare_tool left = a ? mean_per_task(a, &compare->a) : none,
			    right = b ? mean_per_task(b, &compare->b) : none;

	line.weight = fabs(right.wall_s - left.wall_s) + fabs(right.cpu_s - left.cpu_s);
	if (a && b)
		line.changes = tool_changes(&left, &right);
	else
		line.changes = a ? TOOL_GONE : TOOL_NEW;
	if (line.changes)
		compare->tools[compare->tool_count++] = line;
}

static int compare_weights(const void *a, const void *b)
{
	const struct compare_tool_line *one = a, *other = b;
	int order = (one->weight < other->weight) - (one->weight > other->weight);

	return order ? order : strcmp((one->a ? one->a : one->b)->name, (other->a ? other->a : other->b)->name);
}

static void compare_tools(struct compare *compare)
{
	/* An incomplete report may lack tools. */
	if (!compare->arrays && compare->a.incomplete + compare->b.incomplete > 0)
		return;
	for (size_t i = 0; i < compare->a.tool_count; i++)
		add_tool(compare, &compare->a.tools[i], compare_side_tool(&compare->b, &compare->a.tools[i]));
	for (size_t i = 0; i < compare->b.tool_count; i++)
		if (!compare_side_tool(&compare->a, &compare->b.tools[i]))
			add_tool(compare, NULL, &compare->b.tools[i]);
	if (compare->tool_count)
		qsort(compare->tools, compare->tool_count, sizeof(*compare->tools), compare_weights);
}

static size_t rule_at(const char *name)
{
	for (size_t i = 0; i < compare_rule_count; i++)
		if (strcmp(compare_rules[i].name, name) == 0)
			return i;
	return compare_rule_count;
}

static bool has_values(const struct compare_side *side, size_t rule)
{
	for (size_t i = 0; rule < compare_rule_count && i < side->count; i++)
		if (!isnan(side->values[rule][i]))
			return true;
	return false;
}

/*
 * An older stint counts waits of the kind @newer as waits of the kind @older. If neither side knows @newer, the sides
 * cannot differ in it.
 */
static void take_for_older(struct compare *compare, const char *newer, const char *older)
{
	struct compare_side *sides[] = { &compare->a, &compare->b };
	size_t from = rule_at(older), to = rule_at(newer);

	if (has_values(&compare->a, to) || has_values(&compare->b, to) || to == compare_rule_count)
		return;
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->count; i++)
			if (!isnan(sides[s]->values[from][i]))
				sides[s]->values[to][i] = 0;
}

int compare_make(struct compare *compare, struct error *err)
{
	size_t most = compare->a.count + compare->b.count + 1;
	cleanup_free struct pair *pairs = calloc(most, sizeof(*pairs));
	cleanup_free double *a = calloc(most, sizeof(*a)), *b = calloc(most, sizeof(*b));
	cleanup_free double *differences = calloc(most, sizeof(*differences));
	struct work work = { compare, pairs, 0, a, b, differences };

	compare->arrays = compare->a.rows.count > 1 || compare->b.rows.count > 1;
	compare->lines = calloc(compare_rule_count, sizeof(*compare->lines));
	compare->tools = calloc(compare->a.tool_count + compare->b.tool_count + 1, sizeof(*compare->tools));
	if (!pairs || !a || !b || !differences || !compare->lines || !compare->tools)
		return error_set(err, "out of memory");
	if (compare->arrays)
		find_pairs(&work);
	take_for_older(compare, REPORT_PATH(states.bound.condition_s), REPORT_PATH(states.bound.lock_s));
	take_for_older(compare, REPORT_PATH(states.bound.gpu_s), REPORT_PATH(states.bound.event_s));
	for (size_t i = 0; i < compare_rule_count; i++)
		judge_line(&work, i);
	count_pairs(&work);
	compare_tools(compare);
	return 0;
}

void compare_free(struct compare *compare)
{
	compare_side_free(&compare->a);
	compare_side_free(&compare->b);
	free(compare->lines);
	free(compare->tools);
}
