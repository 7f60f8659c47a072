/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_internal.h"

#define SHARE_NAMED 0.3 /* of the difference; a wait with a smaller share is not called the cause */
#define PART_NAMED 0.05 /* of the change; a part with a smaller share is not named */
#define ALL 0.95 /* a share from here on is called "all" */
#define WORK_NAMED 0.3 /* if CPU time changed by this share, the jobs did different work */
#define CHANGES_NAMED 3

struct ratio_words {
	const char *as, *more, *less;
};

static const struct ratio_words time_words = { "long", "longer", "shorter" };
static const struct ratio_words work_words = { "much CPU work", "more CPU work", "less CPU work" };

/* "35 % longer than A", "2.4 times as long as A". @than: name A. */
static void print_ratio(FILE *out, double relative, const struct ratio_words *words, bool than)
{
	if (relative >= 1)
		fprintf(out, "%.*f times as %s%s", relative < 9 ? 1 : 0, 1 + relative, words->as, than ? " as A" : "");
	else
		fprintf(out, "%.0f %% %s%s", 100 * fabs(relative), relative > 0 ? words->more : words->less, than ? " than A" : "");
}

static double wait_of(const struct compare_side *side, const char *type)
{
	for (size_t i = 0; i < side->wait_count; i++)
		if (strcmp(side->waits[i].type, type) == 0)
			return side->waits[i].seconds / (double)side->count;
	return 0;
}

/*
 * Returns the type of file system whose wait grew most; NULL if unknown.
 * If @more is false, returns the type whose wait shrank most.
 */
static const char *file_system(const struct compare *compare, bool more)
{
	const struct compare_side *sides[] = { &compare->a, &compare->b };
	const char *type = NULL;
	double most = 0;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->wait_count; i++) {
			const char *there = sides[s]->waits[i].type;
			double delta = wait_of(&compare->b, there) - wait_of(&compare->a, there);

			if ((delta > 0) == more && fabs(delta) > most) {
				most = fabs(delta);
				type = there;
			}
		}
	return type;
}

static const struct compare_line *line_of(const struct compare *compare, const char *name)
{
	for (size_t i = 0; i < compare_rule_count; i++)
		if (strcmp(compare_rules[i].name, name) == 0)
			return &compare->lines[i];
	return NULL;
}

static double delta_of(const struct compare *compare, const char *name)
{
	const struct compare_line *line = line_of(compare, name);

	return line ? line->delta : NAN;
}

/*
 * Returns the share of the change in time at work that waiting for CPUs explains.
 * A second of waiting, or of CPU time, changes the time at work by a second at most.
 * If the time at work changed more than that, another number of threads computed at the same time.
 * @work_s: the change in time at work.
 */
static double waiting_share(const struct compare *compare, double work_s)
{
	double sign = work_s < 0 ? -1 : 1;
	double wait = sign * delta_of(compare, REPORT_PATH(states.runnable_s)), cpu = sign * delta_of(compare, REPORT_PATH(used.cpu_s));

	if (!(wait > 0) || isnan(cpu))
		return 0;
	return fmin(wait / fmax(wait + fmax(cpu, 0), fabs(work_s)), 1);
}

/*
 * The part of the elapsed time that changed most, in the same direction as the elapsed time.
 * share: how much of the whole change this part explains.
 */
struct cause {
	const struct compare_rule *rule;
	double share;
	bool known;
};

static struct cause find_cause(const struct compare *compare)
{
	const struct compare_line *elapsed = &compare->lines[COMPARE_ELAPSED];
	struct cause cause = { .rule = NULL };
	double most = 0;

	for (size_t i = 0; i < compare_rule_count; i++) {
		const struct compare_line *line = &compare->lines[i];

		if (!compare_rules[i].wait || line->mark == COMPARE_UNKNOWN || line->mark == COMPARE_PARTIAL)
			continue;
		cause.known = true;
		if ((line->delta > 0) == (elapsed->delta > 0) && fabs(line->delta) > most) {
			most = fabs(line->delta);
			cause.rule = &compare_rules[i];
		}
	}
	cause.share = most / fabs(elapsed->delta);
	if (cause.share < SHARE_NAMED)
		cause.rule = NULL;
	return cause;
}

/* "all of that is less waiting for nfs4", "80 % of that is less work on CPUs" */
static void print_share(double share, bool less, const char *verb, const char *what, FILE *out)
{
	if (share >= ALL)
		fputs("all of that is ", out);
	else
		fprintf(out, "%.0f %% of that is ", 100 * share);
	fprintf(out, "%s%s%s", less ? "less " : "", verb, what);
}

static void print_work(const struct compare *compare, const struct cause *cause, bool less, FILE *out)
{
	static const char *const words[] = { "waiting for CPUs", "work on CPUs" };
	double waiting = waiting_share(compare, delta_of(compare, cause->rule->name)), share = fmin(cause->share, 1);
	bool computed = waiting < 0.5;
	double more = computed ? 1 - waiting : waiting;

	if (1 - more < PART_NAMED) {
		print_share(share, less, "", words[computed], out);
		return;
	}
	/* Take the remainder of the rounded first share, so that the printed shares add up. */
	more = round(100 * share * more) / 100;
	print_share(more, less, "", words[computed], out);
	fprintf(out, ", and %.0f %% %s%s", 100 * share - 100 * more, less ? "less " : "", words[!computed]);
}

static void print_cause(const struct compare *compare, const struct cause *cause, FILE *out)
{
	bool less = compare->lines[COMPARE_ELAPSED].delta < 0;
	const char *what = NULL;

	if (!cause->rule) {
		fputs(cause->known ? ", for no one reason" : "; why is not known", out);
		return;
	}
	fputs(": ", out);
	if (!*cause->rule->wait) {
		print_work(compare, cause, less, out);
		return;
	}
	if (strcmp(cause->rule->name, REPORT_PATH(states.bound.file_io_s)) == 0)
		what = file_system(compare, !less);
	print_share(cause->share, less, "waiting for ", what ? what : cause->rule->wait, out);
}

/*
 * Prints "B did 87 % less CPU work than A, and " if that explains the difference in time.
 * The sentence then names no other part, because threads with less work also wait less for CPUs.
 */
static bool print_other_work(const struct compare *compare, const struct cause *cause, FILE *out)
{
	const struct compare_line *cpu = line_of(compare, REPORT_PATH(used.cpu_s)), *elapsed = &compare->lines[COMPARE_ELAPSED];

	if (!cause->rule || *cause->rule->wait || !cpu || !compare_changed(cpu->mark) || !(fabs(cpu->relative) >= WORK_NAMED) ||
	    (cpu->delta > 0) != (elapsed->delta > 0))
		return false;
	fputs("B did ", out);
	print_ratio(out, cpu->relative, &work_words, true);
	fputs(", and ", out);
	return true;
}

static void print_changed_time(const struct compare *compare, FILE *out)
{
	const struct compare_line *elapsed = &compare->lines[COMPARE_ELAPSED];
	struct cause cause = find_cause(compare);
	bool work_differs = print_other_work(compare, &cause, out);
	char text[COMPARE_TEXT];

	fprintf(out, "%stook %s%s, ", work_differs ? "" : "B ", compare_time_words(elapsed->b, text), compare->arrays ? " a task" : "");
	print_ratio(out, elapsed->relative, &time_words, !work_differs);
	if (compare->a.cpus_asked != compare->b.cpus_asked && !isnan(compare->a.cpus_asked) &&
	    !isnan(compare->b.cpus_asked))
		fprintf(out, ", with %.0f %s for %.0f", compare->b.cpus_asked, compare->b.cpus_asked == 1 ? "CPU" : "CPUs",
			compare->a.cpus_asked);
	if (!work_differs)
		print_cause(compare, &cause, out);
	fputc('.', out);
}

static size_t next_change(const struct compare *compare, const bool *named)
{
	size_t next = compare_rule_count;
	double most = -1;

	for (size_t i = 0; i < compare_rule_count; i++) {
		double relative = compare->lines[i].relative, size;

		if (named[i] || !compare_changed(compare->lines[i].mark))
			continue;
		size = isnan(relative) ? INFINITY : fabs(relative);
		if (size > most) {
			most = size;
			next = i;
		}
	}
	return next;
}

static void print_changes(const struct compare *compare, size_t count, FILE *out)
{
	cleanup_free bool *named = calloc(compare_rule_count, sizeof(*named));
	char text[COMPARE_TEXT];
	size_t shown = 0, i;

	fprintf(out, "B took about as long as A (%s%s), and differs in ",
		compare_time_words(compare->lines[COMPARE_ELAPSED].b, text), compare->arrays ? " a task" : "");
	for (; named && shown < count && shown < CHANGES_NAMED; shown++) {
		i = next_change(compare, named);
		named[i] = true;
		fprintf(out, "%s%s (%s)", shown == 0 ? "" : shown + 1 == count ? " and " : ", ", compare_rules[i].label,
			compare_change_text(&compare_rules[i], &compare->lines[i], text));
	}
	if (count > shown)
		fprintf(out, " and %zu more", count - shown);
	if (count == 0)
		fputs("its tools", out);
	fputc('.', out);
}

static void print_same(const struct compare *compare, bool all_known, FILE *out)
{
	double a = compare->lines[COMPARE_ELAPSED].a, b = compare->lines[COMPARE_ELAPSED].b;
	char text[COMPARE_TEXT];

	fprintf(out, "No real difference%s: A took %s", all_known ? "" : " in what is known", compare_time_words(a, text));
	fprintf(out, ", B %s%s.", compare_time_words(b, text), compare->arrays ? " (medians of their tasks)" : "");
}

static void print_not_whole(const struct compare *compare, FILE *out)
{
	const struct compare_side *sides[] = { &compare->a, &compare->b };

	for (size_t i = 0; i < 2 && !compare->arrays; i++)
		if (sides[i]->incomplete > 0)
			fprintf(out, "%c cannot be compared as a whole, because not all of it was counted: %s. ", sides[i]->letter,
				sides[i]->incomplete_why ? sides[i]->incomplete_why : "the report does not say why");
}

char *compare_sentence(const struct compare *compare)
{
	const struct compare_line *elapsed = &compare->lines[COMPARE_ELAPSED];
	size_t size, changed = 0;
	bool all_known = true;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < compare_rule_count; i++) {
		changed += compare_changed(compare->lines[i].mark);
		if (compare->lines[i].mark == COMPARE_UNKNOWN || compare->lines[i].mark == COMPARE_PARTIAL)
			all_known = false;
	}
	print_not_whole(compare, out);
	if (elapsed->mark == COMPARE_UNKNOWN)
		fprintf(out, "How long they took is not known: %s.", elapsed->reason);
	else if (compare_changed(elapsed->mark))
		print_changed_time(compare, out);
	else if (changed > 0 || compare->tool_count > 0)
		print_changes(compare, changed, out);
	else
		print_same(compare, all_known, out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

const char *compare_tool_words(unsigned int changes, char *text, size_t size)
{
	static const struct {
		unsigned int change;
		const char *word;
	} words[] = {
		{ TOOL_NEW, "new" },		 { TOOL_GONE, "gone" },
		{ TOOL_MORE_FAILURES, "more failures" }, { TOOL_FEWER_FAILURES, "fewer failures" },
		{ TOOL_SLOWER, "slower" },	 { TOOL_FASTER, "faster" },
		{ TOOL_MORE_RUNS, "more runs" }, { TOOL_FEWER_RUNS, "fewer runs" },
		{ TOOL_MORE_CPU, "more CPU" },	 { TOOL_LESS_CPU, "less CPU" },
	};
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && used < size; i++)
		if (changes & words[i].change)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", words[i].word);
	return text;
}
