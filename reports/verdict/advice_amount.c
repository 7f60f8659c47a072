/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds entries to the advice, and rounds amounts of memory. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "reports/model/report_make.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/advice_internal.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TEXT_MAX 512
#define COUNT_MAX 9e18 /* below INT64_MAX */

struct report_advice *advice_add(struct report *report, const char *line, const char *format, ...)
{
	struct report_advice *advice = REPORT_ADD(report, &report->advice, advice);
	char reason[TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	advice->line = report_copy(report, line);
	advice->reason = report_copy(report, reason);
	return advice;
}

int64_t advice_count(double value)
{
	return value < COUNT_MAX ? llround(value) : REPORT_UNKNOWN;
}

double advice_round_up(double value, double unit)
{
	return ceil(value / unit) * unit;
}

double advice_memory_unit(double bytes)
{
	if (bytes <= GIB)
		return 64 * MIB;
	if (bytes <= 4 * GIB)
		return 512 * MIB;
	return bytes <= 64 * GIB ? GIB : 8 * GIB;
}

double advice_round_memory(double bytes)
{
	return advice_round_up(bytes, advice_memory_unit(bytes));
}

double advice_memory(const struct rules *rules, double most)
{
	return advice_round_memory(rules->value[RULE_ADVICE_FACTOR] * most);
}

bool advice_held_by_tool(const struct facts *facts)
{
	return facts->sized_tool && !rules_saves(facts->rules, advice_memory(facts->rules, facts->sized_bytes), facts->memory_requested);
}

const char *advice_option_of_steps(const struct facts *facts)
{
	return facts->memory_per_cpu ? "srun --mem or --mem-per-cpu" : "srun --mem";
}
