/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a job's work was divided among its nodes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/text/page_internal.h"

#define NODES_NAMED 8

static const char *name_of(struct json_object *node)
{
	const char *name = field_text(node, "name");

	return name ? name : "?";
}

/* It is known that no process of the user's ran there. */
static bool did_nothing(struct json_object *node)
{
	int64_t processes;

	return field_count(node, "used.processes", &processes) && processes == 0;
}

static void print_idle(struct page *page, struct json_object *nodes)
{
	size_t idle = 0, len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; out && i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

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

static void print_shares(struct page *page, struct json_object *nodes)
{
	struct json_object *least = NULL, *most = NULL;
	double low = 0, high = 0, sum = 0, cpu_s;
	char least_text[DURATION_TEXT], most_text[DURATION_TEXT];
	size_t known = 0;

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (!field_number(node, "used.cpu_s", &cpu_s))
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
	struct json_object *nodes = field_typed(page->report, "nodes", json_type_array);

	if (field_length(nodes) < 2)
		return;
	print_shares(page, nodes);
	print_idle(page, nodes);
}
