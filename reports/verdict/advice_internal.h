/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the files that make the advice share. */
#ifndef STINT_ADVICE_INTERNAL_H
#define STINT_ADVICE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends one piece of advice to @report. The reason is formatted as by printf(). Returns the advice, so that the caller can set
 * the numbers that the line asks for. The pointer is valid until the next piece is appended.
 */
struct report_advice *advice_add(struct report *report, const char *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns @value as a number for a piece of advice; unknown if @value is NAN or too large. */
int64_t advice_count(double value);

/*
 * advice_round_up() rounds @value up to a multiple of @unit. advice_round_memory() rounds @bytes of memory up to a
 * multiple of a unit that suits the amount. advice_memory_unit() returns that unit.
 */
double advice_round_up(double value, double unit);
double advice_round_memory(double bytes);
double advice_memory_unit(double bytes);

/*
 * Appends the advice about CPUs.
 */
void advice_cpus(const struct facts *facts, struct report *report);

/*
 * Appends the advice about nodes.
 */
void advice_nodes(const struct facts *facts, struct report *report);

/* Returns true if the advice about nodes asks for fewer nodes, because no process of the job ever ran on the others. */
bool advice_takes_fewer_nodes(const struct facts *facts);

/* If the advice asks for fewer nodes, appends the number of tasks that these nodes have room for. */
void advice_tasks(const struct facts *facts, struct report *report);

/*
 * Returns the share of its allocated CPUs that the job keeps if it follows the advice about CPUs. Returns 1 if there is
 * no such advice.
 */
double advice_cpus_left(const struct facts *facts);

/* Returns true if the advice about CPUs asks for a single task although the job had asked for several. */
bool advice_takes_one_task(const struct facts *facts);

#endif
