/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how a job's work was divided among its nodes. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/json/units.h"
#include "reports/text/page_internal.h"

#define NODES_NAMED 8

static const char *name_of(const struct report_node *node)
{
	return node->name ? node->name : "?";
}

static bool did_nothing(const struct report_node *node)
{
	return node->used.processes == 0;
}

static void print_idle(struct page *page, const struct report_node_list *nodes)
{
	size_t idle = 0, len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; out && i < nodes->count; i++) {
		const struct report_node *node = &nodes->items[i];

		if (did_nothing(node) && ++idle <= NODES_NAMED)
			fprintf(out, "%s%s", idle > 1 ? ", " : "", name_of(node));
	}
	if (!out)
		return;
	if (idle > NODES_NAMED)
		fprintf(out, " and %zu more", idle - NODES_NAMED);
	fclose(out);
	if (idle > 0)
		page_paragraph(page, "Did nothing", "%s: no process of the job's ran there", text);
	free(text);
}

static void print_shares(struct page *page, const struct report_node_list *nodes)
{
	const struct report_node *least = NULL, *most = NULL;
	double low = 0, high = 0, sum = 0;
	char least_text[DURATION_TEXT], most_text[DURATION_TEXT];
	size_t known = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		const struct report_node *node = &nodes->items[i];
		double cpu_s = report_s(node->used.cpu_s);

		if (isnan(cpu_s))
			continue;
		if (!least || cpu_s < low) {
			least = node;
			low = cpu_s;
		}
		if (!most || cpu_s > high) {
			most = node;
			high = cpu_s;
		}
		sum += cpu_s;
		known++;
	}
	if (known > 1 && sum > 0)
		page_paragraph(page, "CPU time by node", "%s most, %s, %.1f x the mean; %s least, %s", name_of(most),
			       short_duration_text(high, most_text), high * known / sum, name_of(least),
			       short_duration_text(low, least_text));
}

void page_balance(struct page *page)
{
	const struct report_node_list *nodes = &page->report->nodes;

	if (nodes->count < 2)
		return;
	print_shares(page, nodes);
	print_idle(page, nodes);
}
