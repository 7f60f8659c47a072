/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare/compare_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/units.h"
#include "reports/terminal/page_table.h"

const char *compare_time_words(double seconds, char text[COMPARE_TEXT])
{
	static const struct {
		double from;
		int unit, part;
		const char *unit_name, *part_name;
	} forms[] = { { 86400, 86400, 3600, "d", "h" }, { 3600, 3600, 60, "h", "min" }, { 60, 60, 1, "min", "s" } };

	if (!(seconds < 1e11))
		seconds = 1e11;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		long long whole = (long long)(seconds / forms[i].part + 0.5) * forms[i].part;

		if (seconds < forms[i].from)
			continue;
		snprintf(text, COMPARE_TEXT, "%lld %s", whole / forms[i].unit, forms[i].unit_name);
		if (whole % forms[i].unit)
			snprintf(text + strlen(text), COMPARE_TEXT - strlen(text), " %lld %s",
				 whole % forms[i].unit / forms[i].part, forms[i].part_name);
		return text;
	}
	snprintf(text, COMPARE_TEXT, seconds < 9.95 ? "%.2f s" : "%.1f s", seconds > 0 ? seconds : 0);
	return text;
}

const char *compare_value_text(const struct compare_rule *rule, double value, char text[COMPARE_TEXT])
{
	if (isnan(value)) {
		strcpy(text, PAGE_UNKNOWN);
		return text;
	}
	switch (rule->unit) {
	case COMPARE_SECONDS:
		short_duration_text(value, text);
		break;
	case COMPARE_BYTES:
		size_text(value, text);
		break;
	case COMPARE_SHARE:
	case COMPARE_GPU_SHARE:
		snprintf(text, COMPARE_TEXT, "%.1f %%", 100 * value);
		break;
	case COMPARE_CORE_HOURS:
		snprintf(text, COMPARE_TEXT, value < 10 ? "%.3f" : "%.1f", value);
		break;
	case COMPARE_COUNT:
		snprintf(text, COMPARE_TEXT, value == floor(value) ? "%.0f" : "%.1f", value);
		break;
	}
	return text;
}

const char *compare_change_text(const struct compare_rule *rule, const struct compare_line *line,
				char text[COMPARE_TEXT])
{
	char value[COMPARE_TEXT];

	if (rule->unit == COMPARE_SHARE || rule->unit == COMPARE_GPU_SHARE)
		snprintf(text, COMPARE_TEXT, "%+.1f points", 100 * line->delta);
	else if (isnan(line->relative) || rule->unit == COMPARE_COUNT)
		snprintf(text, COMPARE_TEXT, "%s%.40s", line->delta < 0 ? "-" : "+",
			 compare_value_text(rule, fabs(line->delta), value));
	else if (line->relative >= 1)
		snprintf(text, COMPARE_TEXT, line->relative < 99 ? "x%.1f" : "x%.0f", 1 + line->relative);
	else
		snprintf(text, COMPARE_TEXT, "%+.*f %%", fabs(line->relative) < 0.0995 ? 1 : 0, 100 * line->relative);
	return text;
}
