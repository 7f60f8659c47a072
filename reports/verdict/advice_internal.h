/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that make advice. */
#ifndef STINT_ADVICE_INTERNAL_H
#define STINT_ADVICE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends one piece of advice to @report. The reason is formatted as by printf().
 * Returns the advice, so that the caller can set its numbers. The next call makes the pointer invalid.
 */
struct report_advice *advice_add(struct report *report, const char *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns -1 for unknown if @value is NAN or too large. */
int64_t advice_count(double value);

/*
 * advice_round_up() rounds up to a multiple of @unit.
 * advice_round_memory() rounds up to a multiple of advice_memory_unit(), a unit that suits @bytes.
 */
double advice_round_up(double value, double unit);
double advice_round_memory(double bytes);
double advice_memory_unit(double bytes);

void advice_cpus(const struct facts *facts, struct report *report);

void advice_gpus(const struct facts *facts, struct report *report);

void advice_nodes(const struct facts *facts, struct report *report);

/* Returns true if the advice asks for fewer nodes: only for the nodes on which a process ran. */
bool advice_takes_fewer_nodes(const struct facts *facts);

/* If the advice asks for fewer nodes, appends how many tasks have room on these nodes. */
void advice_tasks(const struct facts *facts, struct report *report);

/* Returns the share of CPUs that the job keeps with the advice; 1 without advice. */
double advice_cpus_left(const struct facts *facts);

/* Returns true if the advice asks for a single task, and the job had asked for several. */
bool advice_takes_one_task(const struct facts *facts);

#endif
