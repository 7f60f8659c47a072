/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/utf8.h"
#include "reports/field.h"
#include "reports/page_part.h"

#define NAMES_SHOWN 4 /* of one reason */
#define NODES_SHOWN 3
#define REASONS_SHOWN 4 /* on one screen */
#define NAME_SHOWN 128 /* bytes of each */

struct gap {
	const char *name, *reason;
	const char *node; /* whose; NULL: the job's */
	bool told;
};

/* The node that stands before the reason, as gaps_merge() puts it there; NULL when none does. */
static const char *node_of(struct json_object *report, const char *reason)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);

	for (size_t i = 0; i < field_length(nodes); i++) {
		const char *node = field_text(json_object_array_get_idx(nodes, i), "name");
		size_t length = node ? strlen(node) : 0;

		if (length && strncmp(reason, node, length) == 0 && strncmp(reason + length, ": ", 2) == 0)
			return node;
	}
	return NULL;
}

/* What the site does not want to know is in the JSON report, and no news on each page. */
static bool is_chosen(const char *reason)
{
	static const char end[] = "= off in stint.conf";
	size_t length = strlen(reason);

	return length >= strlen(end) && strcmp(reason + length - strlen(end), end) == 0;
}

static size_t read_gaps(struct json_object *report, struct json_object *list, struct gap *gaps)
{
	size_t used = 0;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *json = json_object_array_get_idx(list, i);
		struct gap gap = { .name = field_text(json, "name"), .reason = field_text(json, "reason") };

		if (!gap.name || !gap.reason || is_chosen(gap.reason))
			continue;
		gap.node = node_of(report, gap.reason);
		if (gap.node)
			gap.reason += strlen(gap.node) + 2;
		gaps[used++] = gap;
	}
	return used;
}

/* A list of texts, each once, of which the first few are named. */
struct names {
	char text[1024];
	size_t used, count, shown;
};

static void add_name(struct names *names, const char *name)
{
	if (names->count++ < names->shown)
		names->used += snprintf(names->text + names->used, sizeof(names->text) - names->used, "%s%.*s",
					names->used ? ", " : "", (int)utf8_whole(name, strnlen(name, NAME_SHOWN)), name);
}

static void end_names(struct names *names, const char *word)
{
	if (names->count > names->shown)
		snprintf(names->text + names->used, sizeof(names->text) - names->used, " and %zu more%s",
			 names->count - names->shown, word);
}

static bool is_new(const struct gap *gaps, size_t first, size_t i, bool by_node)
{
	for (size_t k = first; k < i; k++) {
		const char *one = by_node ? gaps[k].node : gaps[k].name;
		const char *other = by_node ? gaps[i].node : gaps[i].name;

		if (one && other && strcmp(one, other) == 0 && strcmp(gaps[k].reason, gaps[i].reason) == 0)
			return false;
	}
	return true;
}

static bool is_new_name(const struct gap *gaps, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(gaps[k].name, gaps[i].name) == 0)
			return false;
	return true;
}

/* All that has the reason of gap @first: its names, and the nodes that it is of. */
static void print_reason(struct page *page, struct gap *gaps, size_t first, size_t count)
{
	struct names names = { .shown = NAMES_SHOWN }, nodes = { .shown = NODES_SHOWN };
	cleanup_free char *line = NULL;

	for (size_t i = first; i < count; i++) {
		if (strcmp(gaps[i].reason, gaps[first].reason) != 0)
			continue;
		gaps[i].told = true;
		if (is_new(gaps, first, i, false))
			add_name(&names, gaps[i].name);
		if (gaps[i].node && is_new(gaps, first, i, true))
			add_name(&nodes, gaps[i].node);
	}
	end_names(&names, "");
	end_names(&nodes, " nodes");
	if (asprintf(&line, "%s: %s%s%s%s", names.text, gaps[first].reason, nodes.count ? " (" : "", nodes.text,
		     nodes.count ? ")" : "") < 0)
		line = NULL;
	page_wrapped(page, &(struct page_wrap){ .first = "  " }, line ? line : names.text);
}

static struct gap *job_gaps(struct page *page, size_t *count)
{
	struct json_object *list = field_typed(page->report, "gaps", json_type_array);
	struct gap *gaps = calloc(field_length(list) + 1, sizeof(*gaps));

	*count = gaps ? read_gaps(page->report, list, gaps) : 0;
	return gaps;
}

/* By reason. Those for which there is no room are left out. */
static void print_gaps(struct page *page, struct gap *gaps, size_t count, size_t limit)
{
	size_t shown = 0, left_out = 0;

	for (size_t i = 0; i < count; i++)
		if (shown < limit && !gaps[i].told) {
			print_reason(page, gaps, i, count);
			shown++;
		}
	for (size_t i = 0; i < count; i++)
		left_out += !gaps[i].told;
	page_leave_out(page, left_out, "unknown value", "unknown values");
}

static size_t lost_count(struct json_object *report)
{
	struct json_object *lost = field_typed(report, "lost", json_type_object);
	size_t count = 0;

	json_object_object_foreach(lost, name, value) {
		(void)name;
		count += json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0;
	}
	return count;
}

void page_incomplete(struct page *page)
{
	cleanup_free struct gap *gaps = NULL;
	size_t count;

	if (field_true(page->report, "complete"))
		return;
	terminal_styled(page->options, STYLE_BAD, "NOT COMPLETE: this report does not tell all of the job.", page->out);
	fputc('\n', page->out);
	gaps = job_gaps(page, &count);
	print_gaps(page, gaps, count, page_limit(page, REASONS_SHOWN));
	fputc('\n', page->out);
}

static void print_lost(struct page *page)
{
	struct json_object *lost = field_typed(page->report, "lost", json_type_object);

	if (lost_count(page->report) == 0)
		return;
	page_head(page, "Lost");
	json_object_object_foreach(lost, name, value) {
		cleanup_free char *line = NULL;

		if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) <= 0)
			continue;
		if (asprintf(&line, "%s: %lld", name, (long long)json_object_get_int64(value)) < 0)
			line = NULL;
		page_wrapped(page, &(struct page_wrap){ .first = "  " }, line ? line : name);
	}
}

/* On one screen, of a report that is complete: what is not known, without why. */
static void remember_names(struct page *page, const struct gap *gaps, size_t count)
{
	struct names names = { .shown = NAMES_SHOWN };

	for (size_t i = 0; i < count; i++)
		if (is_new_name(gaps, i))
			add_name(&names, gaps[i].name);
	end_names(&names, "");
	page->not_known = strdup(names.text);
}

void page_gaps(struct page *page)
{
	cleanup_free struct gap *gaps = NULL;
	size_t count = 0;

	print_lost(page);
	if (field_true(page->report, "complete")) /* those of a report that is not stand above */
		gaps = job_gaps(page, &count);
	if (count == 0)
		return;
	if (!page->options->all) {
		remember_names(page, gaps, count);
		return;
	}
	page_head(page, "Not known");
	print_gaps(page, gaps, count, SIZE_MAX);
}
