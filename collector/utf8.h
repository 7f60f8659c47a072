/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names as users and programs made them are bytes; JSON is UTF-8. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <json-c/json.h>
#include <stddef.h>

/*
 * How many bytes of @text (which ends in a NUL) the valid UTF-8 character at its
 * start takes; 0 when there is none, overlong forms and surrogates included.
 */
size_t utf8_length(const char *text);

/*
 * A JSON string of @text; each byte that is not valid UTF-8 becomes U+FFFD.
 */
struct json_object *utf8_json(const char *text);

#endif
