/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that make the advice. */
#ifndef STINT_ADVICE_INTERNAL_H
#define STINT_ADVICE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "reports/rules/facts.h"

/*
 * Appends one advice to @list. The reason is made as by printf(). Returns the advice, borrowed.
 */
struct json_object *advice_add(struct json_object *list, const char *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Adds to @advice the number that its line asks for: "memory_bytes" on a node, "memory_per_cpu_bytes",
 * "cpus_per_task", "nodes" or "time_limit_s".
 */
void advice_put_value(struct json_object *advice, const char *name, double value);

/*
 * Round an amount up to a multiple of @unit; or of what suits @bytes of memory, which advice_memory_unit() returns.
 */
double advice_round_up(double value, double unit);
double advice_round_memory(double bytes);
double advice_memory_unit(double bytes);

/*
 * Appends the advice about CPUs.
 */
void advice_cpus(const struct facts *facts, struct json_object *list);

/*
 * Appends the advice about nodes.
 */
void advice_nodes(const struct facts *facts, struct json_object *list);

/* Returns whether that advice asks for fewer nodes: no process of the job ever ran on the others. */
bool advice_takes_fewer_nodes(const struct facts *facts);

/* Adds the number of tasks that fewer nodes have room for, if the advice asks for fewer nodes. */
void advice_tasks(const struct facts *facts, struct json_object *list);

/*
 * Returns the part of the allocated CPUs that the job has left where it follows that advice; 1 without such.
 */
double advice_cpus_left(const struct facts *facts);

/*
 * Returns whether that advice asks for a single task where the job had asked for several.
 */
bool advice_takes_one_task(const struct facts *facts);

#endif
