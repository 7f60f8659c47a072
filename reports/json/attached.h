/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps numbers that were already read with the json-c object that they come from. */
#ifndef STINT_ATTACHED_H
#define STINT_ATTACHED_H

#include <json-c/json.h>
#include <stddef.h>

/*
 * Keeps a copy of the @size bytes at @data with @json, until @json is freed. If out of memory, keeps nothing: the numbers are then
 * read from @json's members.
 */
void json_attach(struct json_object *json, const void *data, size_t size);

/* Returns what was attached to @json; NULL: nothing, or @json is not an object. An object has at most one attachment. */
const void *json_attached(struct json_object *json);

#endif
