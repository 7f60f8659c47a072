/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the advice share. */
#ifndef STINT_ADVICE_PART_H
#define STINT_ADVICE_PART_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "reports/facts.h"

/*
 * Puts one advice behind those of @list, the reason as printf() makes it.
 */
void advice_add(struct json_object *list, const char *line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Returns true when what was used is what the job needs: it ended well, was
 * counted as a whole and was long enough, and nothing in it was killed for memory.
 */
bool advice_is_sound(const struct facts *facts);

/*
 * Each returns what is asked for when so many bytes or seconds are enough: a round number, not below.
 */
double advice_round_memory(double bytes);
double advice_round_time(double seconds);

/*
 * Fills @line with the line that asks for @bytes, as advice_round_memory() made them, on each node.
 */
void advice_write_memory(double bytes, char *line, size_t size);

/*
 * Puts what is to be said about CPUs.
 */
void advice_cpus(const struct facts *facts, struct json_object *list);

#endif
