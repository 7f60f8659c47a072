/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short forms for the JSON that stintd writes. */
#ifndef STINT_COLLECTOR_JSON_H
#define STINT_COLLECTOR_JSON_H

#include <json-c/json.h>
#include <stdint.h>

void json_add_number(struct json_object *object, const char *name, int64_t value);

/* Adds @text, made valid UTF-8, unless it is empty. */
void json_add_text(struct json_object *object, const char *name, const char *text);

#endif
