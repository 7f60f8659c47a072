/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/json/gaps.h"
#include "reports/model/report_gaps.h"
#include "reports/text/page_internal.h"

#define NAMES_SHOWN 4 /* per reason */
#define NODES_SHOWN 3
#define REASONS_SHOWN 4 /* on one screen */
#define GAP_NAME_SHOWN 128 /* bytes */

struct gap {
	const char *name, *reason;
	const char *node; /* NULL: the gap is about the job */
	size_t order;
};

/* Sorted, because comparing all pairs of gaps takes too long. A forged report can have any number of gaps. */
struct texts {
	const char **list;
	size_t count;
};

static int compare_texts(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static struct texts node_names(const struct report *report)
{
	const struct report_node_list *nodes = &report->nodes;
	struct texts names = { .list = calloc(nodes->count + 1, sizeof(*names.list)) };

	for (size_t i = 0; names.list && i < nodes->count; i++) {
		const char *name = nodes->items[i].name;

		if (name && *name)
			names.list[names.count++] = name;
	}
	if (names.count)
		qsort(names.list, names.count, sizeof(*names.list), compare_texts);
	return names;
}

struct prefix {
	const char *text;
	size_t length;
};

static int compare_prefix(const void *key, const void *member)
{
	const struct prefix *prefix = key;
	const char *name = *(const char *const *)member;
	int order = strncmp(prefix->text, name, prefix->length);

	return order ? order : -(name[prefix->length] != '\0');
}

/* Returns the node whose name stands before the reason, as making_add_gaps() writes it; NULL if there is none. */
static const char *node_of(const struct texts *names, const char *reason)
{
	const char *end = strstr(reason, ": ");
	const struct prefix prefix = { reason, end ? (size_t)(end - reason) : 0 };
	const char **found = NULL;

	if (prefix.length && names->count)
		found = bsearch(&prefix, names->list, names->count, sizeof(*names->list), compare_prefix);
	return found ? *found : NULL;
}

static size_t read_gaps(const struct report *report, struct gap *gaps)
{
	struct texts nodes = node_names(report);
	size_t used = 0;

	for (size_t i = 0; i < report->gaps.count; i++) {
		struct gap gap = { .name = report->gaps.items[i].name, .reason = report->gaps.items[i].reason };

		if (!gap.name || !gap.reason || gaps_chosen(gap.reason))
			continue;
		gap.node = node_of(&nodes, gap.reason);
		if (gap.node)
			gap.reason += strlen(gap.node) + 2;
		gap.order = used;
		gaps[used++] = gap;
	}
	free(nodes.list);
	return used;
}

struct names {
	char text[1024];
	size_t used, count, shown;
	const char *named[NAMES_SHOWN];
};

_Static_assert(NODES_SHOWN <= NAMES_SHOWN, "names.named has room for those that are shown");

static void name_one(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->named[i], name) == 0)
			return;
	names->named[names->count++] = name;
	names->used += snprintf(names->text + names->used, sizeof(names->text) - names->used, "%s%.*s",
				names->used ? ", " : "", (int)utf8_whole(name, strnlen(name, GAP_NAME_SHOWN)), name);
}

static size_t count_different(struct texts *texts)
{
	size_t count = 0;

	if (texts->count)
		qsort(texts->list, texts->count, sizeof(*texts->list), compare_texts);
	for (size_t i = 0; i < texts->count; i++)
		count += i == 0 || strcmp(texts->list[i - 1], texts->list[i]) != 0;
	return count;
}

/*
 * Writes the first texts, and how many other texts there are.
 * @word: printed after the number of other texts: " nodes", or "".
 */
static void name_texts(struct names *names, struct texts *texts, const char *word)
{
	size_t different;

	for (size_t i = 0; i < texts->count && names->count < names->shown; i++)
		name_one(names, texts->list[i]);
	different = count_different(texts);
	if (different > names->count)
		snprintf(names->text + names->used, sizeof(names->text) - names->used, " and %zu more%s",
			 different - names->count, word);
}

/* Returns the names of the gaps or, if @nodes is true, of their nodes. The caller must free the list. */
static struct texts texts_of(const struct gap *gaps, size_t count, bool nodes)
{
	struct texts texts = { .list = calloc(count + 1, sizeof(*texts.list)) };

	for (size_t i = 0; texts.list && i < count; i++)
		if (!nodes || gaps[i].node)
			texts.list[texts.count++] = nodes ? gaps[i].node : gaps[i].name;
	return texts;
}

static void print_reason(struct page *page, const struct gap *gaps, size_t count)
{
	struct names names = { .shown = NAMES_SHOWN }, nodes = { .shown = NODES_SHOWN };
	struct texts name_list = texts_of(gaps, count, false), node_list = texts_of(gaps, count, true);
	cleanup_free char *line = NULL;

	name_texts(&names, &name_list, "");
	name_texts(&nodes, &node_list, " nodes");
	if (asprintf(&line, "%s: %s%s%s%s", names.text, gaps->reason, nodes.count ? " (" : "", nodes.text,
		     nodes.count ? ")" : "") < 0)
		line = NULL;
	page_wrapped(page, &(struct page_wrap){ .first = "  " }, line ? line : names.text);
	free(name_list.list);
	free(node_list.list);
}

static struct gap *job_gaps(struct page *page, size_t *count)
{
	struct gap *gaps = calloc(page->report->gaps.count + 1, sizeof(*gaps));

	*count = gaps ? read_gaps(page->report, gaps) : 0;
	return gaps;
}

struct reason {
	const struct gap *gaps;
	size_t count;
};

static int compare_gaps(const void *one, const void *other)
{
	const struct gap *a = one, *b = other;
	int order = strcmp(a->reason, b->reason);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_reasons(const void *one, const void *other)
{
	const struct reason *a = one, *b = other;

	return (a->gaps->order > b->gaps->order) - (a->gaps->order < b->gaps->order);
}

/*
 * Returns the reasons, in the order of their first gaps, which the caller must free. NULL if out of memory.
 * @count: set to the number of reasons.
 */
static struct reason *sort_reasons(struct gap *gaps, size_t gap_count, size_t *count)
{
	struct reason *reasons = calloc(gap_count + 1, sizeof(*reasons));

	*count = 0;
	if (!reasons || !gap_count)
		return reasons;
	qsort(gaps, gap_count, sizeof(*gaps), compare_gaps);
	for (size_t i = 0; i < gap_count; i++) {
		if (i == 0 || strcmp(gaps[i - 1].reason, gaps[i].reason) != 0)
			reasons[(*count)++].gaps = &gaps[i];
		reasons[*count - 1].count++;
	}
	qsort(reasons, *count, sizeof(*reasons), compare_reasons);
	return reasons;
}

/* Prints at most @limit reasons. The page's last line says how many gaps are left out. */
static void print_gaps(struct page *page, struct gap *gaps, size_t count, size_t limit)
{
	size_t reason_count, left_out = 0;
	cleanup_free struct reason *reasons = sort_reasons(gaps, count, &reason_count);

	for (size_t i = 0; reasons && i < reason_count; i++) {
		if (i < limit)
			print_reason(page, reasons[i].gaps, reasons[i].count);
		else
			left_out += reasons[i].count;
	}
	page_leave_out(page, left_out, "unknown value", "unknown values");
}

static size_t drop_end(struct gap *gaps, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (strcmp(gaps[i].name, REPORT_PATH(job.end)) != 0)
			gaps[kept++] = gaps[i];
	return kept;
}

/* Without --all, the page shows only gaps that concern the job. */
static size_t drop_others(struct page *page, struct gap *gaps, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (report_gap_concerns(page->report, gaps[i].name, gaps[i].reason))
			gaps[kept++] = gaps[i];
	return kept;
}

void page_incomplete(struct page *page)
{
	bool so_far = page->report->so_far;
	cleanup_free struct gap *gaps = NULL;
	size_t count;

	if (page->report->complete.value)
		return;
	if (so_far)
		terminal_styled(page->options, STYLE_ACCENT, "Still running: so far", page->out);
	else
		terminal_styled(page->options, STYLE_BAD, "NOT COMPLETE: this report does not show all of the job.",
				page->out);
	fputc('\n', page->out);
	gaps = job_gaps(page, &count);
	if (so_far)
		count = drop_end(gaps, count);
	if (!page->options->all)
		count = drop_others(page, gaps, count);
	print_gaps(page, gaps, count, page_limit(page, REASONS_SHOWN));
	fputc('\n', page->out);
}

static void print_lost(struct page *page)
{
	const struct report_count_map *lost = &page->report->lost;
	bool first = true;

	for (size_t i = 0; i < lost->count; i++) {
		cleanup_free char *line = NULL;

		if (lost->items[i].value <= 0)
			continue;
		if (first)
			page_head(page, "Lost");
		first = false;
		if (asprintf(&line, "%s: %lld", lost->items[i].name, (long long)lost->items[i].value) < 0)
			line = NULL;
		page_wrapped(page, &(struct page_wrap){ .first = "  " }, line ? line : lost->items[i].name);
	}
}

/* Without --all, the page of a complete report shows only the names of the gaps, on the last line. */
static void remember_names(struct page *page, const struct gap *gaps, size_t count)
{
	struct names names = { .shown = NAMES_SHOWN };
	struct texts list = texts_of(gaps, count, false);

	name_texts(&names, &list, "");
	free(list.list);
	page->not_known = strdup(names.text);
}

void page_gaps(struct page *page)
{
	cleanup_free struct gap *gaps = NULL;
	size_t count = 0;

	print_lost(page);
	if (page->report->complete.value) /* an incomplete report has its gaps at the top of the page */
		gaps = job_gaps(page, &count);
	if (count == 0)
		return;
	if (!page->options->all) {
		count = drop_others(page, gaps, count);
		if (count > 0)
			remember_names(page, gaps, count);
		return;
	}
	page_head(page, "Not known");
	print_gaps(page, gaps, count, SIZE_MAX);
}
