/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/page_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/units.h"

#define BAR_CELLS 12

const char *page_text_cell(const char *text)
{
	return text ? text : PAGE_NO_VALUE;
}

const char *page_count_cell(int64_t count, struct page_cell *cell)
{
	strcpy(cell->text, PAGE_NO_VALUE);
	if (count >= 0)
		snprintf(cell->text, sizeof(cell->text), "%lld", (long long)count);
	return cell->text;
}

const char *page_size_cell(int64_t bytes, struct page_cell *cell)
{
	return bytes < 0 ? strcpy(cell->text, PAGE_NO_VALUE) : short_size_text((double)bytes, cell->text);
}

const char *page_time_cell(struct report_seconds time, struct page_cell *cell)
{
	return time.ns < 0 ? strcpy(cell->text, PAGE_NO_VALUE) : short_duration_text(report_s(time), cell->text);
}

const char *page_share_cell(double part, double whole, struct page_cell *cell)
{
	strcpy(cell->text, PAGE_NO_VALUE);
	if (!isnan(part) && whole > 0)
		snprintf(cell->text, sizeof(cell->text), "%.1f%%", part < whole ? 100 * part / whole : 100);
	return cell->text;
}

const char *page_bar_cell(const struct page *page, double part, double whole, struct page_cell *cell)
{
	return terminal_bar(page->options, !isnan(part) && whole > 0 ? part / whole : 0, BAR_CELLS, cell->text);
}
