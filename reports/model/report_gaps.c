/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_gaps.h"

#include <string.h>

#include "reports/json/gaps.h"
#include "reports/model/report_make.h"

bool report_has_gap(const struct report_gap_list *gaps, const char *name)
{
	for (size_t i = 0; i < gaps->count; i++)
		if (report_text_is(gaps->items[i].name, name))
			return true;
	return false;
}

void report_add_gap(struct report *report, const char *name, const char *reason)
{
	struct report_gap *gap = REPORT_ADD(report, &report->gaps, gap);

	gap->name = report_copy(report, name);
	gap->reason = report_copy(report, reason);
}

bool report_gap_concerns(const struct report *report, const char *name, const char *reason)
{
	if (gaps_chosen(reason) || strstr(reason, GAP_NO_TICK))
		return false;
	if (strncmp(name, "used.async_", strlen("used.async_")) != 0 || !strstr(reason, "libaio is counted for O_DIRECT"))
		return true;
	return report->used.async_read_bytes > 0 || report->used.async_write_bytes > 0;
}
