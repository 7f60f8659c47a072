/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that make the advice. */
#ifndef STINT_ADVICE_INTERNAL_H
#define STINT_ADVICE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends one advice to @report. The reason is made as by printf(). Returns the advice, in which what the line asks for can be set;
 * it lies there until the next one is appended.
 */
struct report_advice *advice_add(struct report *report, const char *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns @value as an advice asks for it: unknown, if it is NAN or too large. */
int64_t advice_count(double value);

/*
 * Round an amount up to a multiple of @unit; or of what suits @bytes of memory, which advice_memory_unit() returns.
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

/* Returns whether that advice asks for fewer nodes: no process of the job ever ran on the others. */
bool advice_takes_fewer_nodes(const struct facts *facts);

/* Adds the number of tasks that fewer nodes have room for, if the advice asks for fewer nodes. */
void advice_tasks(const struct facts *facts, struct report *report);

/*
 * Returns the part of the allocated CPUs that the job has left where it follows that advice; 1 without such.
 */
double advice_cpus_left(const struct facts *facts);

/*
 * Returns whether that advice asks for a single task where the job had asked for several.
 */
bool advice_takes_one_task(const struct facts *facts);

#endif
