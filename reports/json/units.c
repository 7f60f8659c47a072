/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DURATION_MAX 1e12 /* seconds; a longer duration is forged */
#define ALL_BUT 1e-6      /* a share this near to 0 or 1 counts as 0 or 1, because sums are rounded */

static double bounded(double value)
{
	if (!(value > 0))
		return 0;
	return value < DURATION_MAX ? value : DURATION_MAX;
}

const char *duration_text(double seconds, char text[DURATION_TEXT])
{
	long long whole = llround(bounded(seconds));
	int used = 0;

	if (whole >= 86400)
		used = snprintf(text, DURATION_TEXT, "%lld-", whole / 86400);
	snprintf(text + used, DURATION_TEXT - used, "%02lld:%02lld:%02lld", whole / 3600 % 24, whole / 60 % 60,
		 whole % 60);
	return text;
}

const char *short_duration_text(double seconds, char text[DURATION_TEXT])
{
	seconds = bounded(seconds);
	if (seconds < 0.9995)
		snprintf(text, DURATION_TEXT, "%.3f s", seconds);
	else if (seconds < 9.995)
		snprintf(text, DURATION_TEXT, "%.2f s", seconds);
	else if (seconds < 59.95)
		snprintf(text, DURATION_TEXT, "%.1f s", seconds);
	else
		duration_text(seconds, text);
	return text;
}

const char *worded_duration_text(double seconds, char text[DURATION_TEXT])
{
	static const struct {
		const char *name, *part;
		long long seconds, part_seconds;
	} units[] = { { "d", "h", 86400, 3600 }, { "h", "min", 3600, 60 }, { "min", "s", 60, 1 } };
	long long whole = llround(bounded(seconds));

	if (bounded(seconds) < 9.995 && bounded(seconds) != (double)whole)
		return short_duration_text(seconds, text);
	snprintf(text, DURATION_TEXT, "%lld s", whole);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		long long parts = whole % units[i].seconds / units[i].part_seconds;

		if (whole < units[i].seconds)
			continue;
		if (parts > 0)
			snprintf(text, DURATION_TEXT, "%lld %s %lld %s", whole / units[i].seconds, units[i].name, parts,
				 units[i].part);
		else
			snprintf(text, DURATION_TEXT, "%lld %s", whole / units[i].seconds, units[i].name);
		break;
	}
	return text;
}

const char *signal_text(int64_t signal, char text[SIGNAL_TEXT])
{
	const char *name = signal > 0 && signal < 65 ? sigabbrev_np((int)signal) : NULL;

	snprintf(text, SIGNAL_TEXT, "signal %lld%s%s", (long long)signal, name ? " SIG" : "", name ? name : "");
	return text;
}

const char *size_text(double bytes, char text[SIZE_TEXT])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t unit = 0;

	if (!(bytes >= 1024)) {
		snprintf(text, SIZE_TEXT, "%.0f B", bytes > 0 ? bytes : 0);
		return text;
	}
	bytes /= 1024;
	/* The smaller unit would show 1023.95 as 1024.0. */
	while (bytes >= 1023.95 && unit < sizeof(units) / sizeof(units[0]) - 1) {
		bytes /= 1024;
		unit++;
	}
	if (bytes > 1e6)
		bytes = 1e6;
	snprintf(text, SIZE_TEXT, "%.1f %s", bytes, units[unit]);
	return text;
}

const char *short_size_text(double bytes, char text[SIZE_TEXT])
{
	static const char units[] = "KMGTPE";
	size_t unit = 0;

	if (!(bytes >= 1024)) {
		snprintf(text, SIZE_TEXT, "%.0f", bytes > 0 ? bytes : 0);
		return text;
	}
	bytes /= 1024;
	while (bytes >= 1023.5 && unit < sizeof(units) - 2) {
		bytes /= 1024;
		unit++;
	}
	if (bytes > 1e6)
		bytes = 1e6;
	snprintf(text, SIZE_TEXT, bytes < 9.95 ? "%.1f%c" : "%.0f%c", bytes, units[unit]);
	return text;
}

const char *percent_text(double share, char text[PERCENT_TEXT])
{
	double edge = share < 0.5 ? share : 1 - share; /* distance of the share from 0 or 1 */

	if (edge > ALL_BUT && edge < 0.0005)
		snprintf(text, PERCENT_TEXT, share < 0.5 ? "less than 0.1 %%" : "more than 99.9 %%");
	else
		snprintf(text, PERCENT_TEXT, "%.*f %%", edge > ALL_BUT && edge < 0.01 ? 1 : 0, 100 * share);
	return text;
}

bool busy_beyond_cores(double busy, double cores, double cpus)
{
	return cpus > cores && busy >= cores + 0.05;
}
