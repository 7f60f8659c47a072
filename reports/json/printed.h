/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elements of a list that are kept as their text. json-c takes 640 bytes and more for an object of two numbers, whose
 * text has 30: a report of a thousand nodes would not fit in memory. Such elements can be printed and nothing else.
 */
#ifndef STINT_PRINTED_H
#define STINT_PRINTED_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#define PRINTED_FLAGS (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE) /* as a report is printed */

/*
 * Returns an element that prints as @value, which is put; NULL when memory is short.
 *
 * @order: what printed_order() returns
 */
struct json_object *printed_value(struct json_object *value, int64_t order);

/*
 * Returns one element that prints as all of @list, which is put, with a comma between them; NULL when memory is short,
 * or the list is empty.
 */
struct json_object *printed_list(struct json_object *list);

bool is_printed(struct json_object *value);
int64_t printed_order(struct json_object *value);

/*
 * Returns how many bytes of memory @value takes, about.
 */
size_t printed_weight(struct json_object *value);

#endif
