/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which programs are shells: a shell goes on when a command fails, and says some things by exit codes of its own. */
#ifndef STINT_SHELLS_H
#define STINT_SHELLS_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Returns true if @json, a tool of a record or report or an entry of a report's timeline, is a shell or a script that a shell runs.
 */
bool shells_is(struct json_object *json);

#endif
