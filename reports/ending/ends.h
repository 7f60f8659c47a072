/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a process of a report's timeline ended. */
#ifndef STINT_ENDS_H
#define STINT_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/*
 * Returns what a shell has in $? after the process of @entry; -1: it is not known.
 */
int64_t ends_code(struct json_object *entry);

/*
 * Returns true if the process of @entry ended with @code, and nobody wanted it to. Neither counts one that SIGPIPE ended, unless @code
 * says so: its script fails by that under "set -o pipefail".
 */
bool ends_with(struct json_object *entry, int64_t code);

/* Returns true if @entry failed, with any code, and that code cannot have been an answer, nor that nothing read its output. */
bool ends_failed(struct json_object *entry);

#endif
