/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that were read already, kept with the object of json-c that they are of. */
#ifndef STINT_ATTACHED_H
#define STINT_ATTACHED_H

#include <json-c/json.h>
#include <stddef.h>

/*
 * Keeps a copy of the @size bytes at @data with @json, until that is freed. Where memory is short nothing is kept: then
 * they are read from @json's members.
 */
void json_attach(struct json_object *json, const void *data, size_t size);

/* Returns what was attached to @json; NULL: nothing, or it is no object. An object has one thing attached at most. */
const void *json_attached(struct json_object *json);

#endif
