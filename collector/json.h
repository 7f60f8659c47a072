/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short forms for the JSON that stintd writes. */
#ifndef STINT_COLLECTOR_JSON_H
#define STINT_COLLECTOR_JSON_H

#include <json-c/json.h>
#include <stdint.h>

void json_add_number(struct json_object *object, const char *name, int64_t value);

/* Adds @text, made valid UTF-8, unless it is empty. */
void json_add_text(struct json_object *object, const char *name, const char *text);

/*
 * Adds @path as json_add_text() does; and where it is no UTF-8, so that this is not it, a second time as @hex_name, in
 * hexadecimal, two digits a byte.
 */
void json_add_path(struct json_object *object, const char *name, const char *hex_name, const char *path);

#endif
