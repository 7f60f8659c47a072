/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/page_table.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/json/units.h"

#define BAR_CELLS 12

const char *page_text_cell(const char *text)
{
	return text ? text : PAGE_NO_VALUE;
}

const char *page_count_cell(struct json_object *from, const char *name, struct page_cell *cell)
{
	int64_t value;

	strcpy(cell->text, PAGE_NO_VALUE);
	if (field_count(from, name, &value))
		snprintf(cell->text, sizeof(cell->text), "%lld", (long long)value);
	return cell->text;
}

const char *page_size_cell(struct json_object *from, const char *name, struct page_cell *cell)
{
	double value;

	strcpy(cell->text, PAGE_NO_VALUE);
	if (field_number(from, name, &value))
		short_size_text(value, cell->text);
	return cell->text;
}

const char *page_time_cell(struct json_object *from, const char *name, struct page_cell *cell)
{
	double value;

	strcpy(cell->text, PAGE_NO_VALUE);
	if (field_number(from, name, &value))
		short_duration_text(value, cell->text);
	return cell->text;
}

const char *page_share_cell(struct json_object *from, const char *name, double whole, struct page_cell *cell)
{
	double value;

	strcpy(cell->text, PAGE_NO_VALUE);
	if (field_number(from, name, &value) && whole > 0)
		snprintf(cell->text, sizeof(cell->text), "%.1f%%", value < whole ? 100 * value / whole : 100);
	return cell->text;
}

const char *page_bar_cell(const struct page *page, struct json_object *from, const char *name, double whole,
			  struct page_cell *cell)
{
	double value;

	if (!field_number(from, name, &value) || !(whole > 0))
		value = whole = 0;
	return terminal_bar(page->options, whole > 0 ? value / whole : 0, BAR_CELLS, cell->text);
}
