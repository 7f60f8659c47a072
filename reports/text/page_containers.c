/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "common/utf8.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/wording/container_fields.h"

#define CONTAINERS_SHOWN 6

enum { CONTAINER_EXIT = 3 };

static const char *exit_cell(const struct report_container *container, struct page_cell *cell)
{
	if (container->signal <= 0)
		return page_count_cell(container->exit_code, cell);
	snprintf(cell->text, sizeof(cell->text), "signal %lld", (long long)container->signal);
	return cell->text;
}

static void add_container(struct page *page, struct page_table *table, size_t place)
{
	const struct report_container *container = &page->report->containers.items[place];
	char name[CONTAINER_NAME_TEXT];
	struct page_cell cells[6];

	page_table_add(page, table, (const char *const[]){
		container_name(page->report, (int64_t)place, name),
		container->root ? container->root : "?",
		page_count_cell(container->count, &cells[0]),
		exit_cell(container, &cells[1]),
		page_count_cell(container->runs, &cells[2]),
		page_count_cell(container->failures, &cells[3]),
		page_time_cell(container->setup_s, &cells[4]),
		page_time_cell(container->cpu_s, &cells[5]),
	}, container->loop ? "(in a file, as a loop device)" : NULL);
	if (container->exit_code > 0 || container->signal > 0)
		page_table_style(table, CONTAINER_EXIT, STYLE_WARNING);
}

/* Prints what the containers cost, beside what ran in them. */
static void print_cost(struct page *page)
{
	const struct report_tool *most;
	double cost_s = container_cost_s(page->report, &most);
	char cost[DURATION_TEXT], of_most[DURATION_TEXT], line[256];

	if (!most)
		return;
	snprintf(line, sizeof(line), "Making and serving containers took %s of CPU time, %s of it %.64s.",
		 short_duration_text(cost_s, cost), short_duration_text(report_s(most->cpu_s), of_most), most->name);
	utf8_finish(line);
	page_wrapped(page, &(struct page_wrap){ .first = "  ", .next = "  " }, line);
}

void page_containers(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Containers" },
		{ .head = "Root", .spare = 1 },
		{ .head = "Count" },
		{ .head = "Exit" },
		{ .head = "Runs", .spare = 3 },
		{ .head = "Fail" },
		{ .head = "Setup", .spare = 2 },
		{ .head = "CPU" },
	};
	struct page_table table = PAGE_TABLE(columns);
	size_t count = page->report->containers.count, limit = page_limit(page, CONTAINERS_SHOWN);

	if (!count)
		return;
	for (size_t i = 0; i < count && i < limit; i++)
		add_container(page, &table, i);
	page_table_print(page, &table);
	print_cost(page);
	page_leave_out(page, count > limit ? count - limit : 0, "container", "containers");
}
