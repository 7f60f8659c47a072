/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What timeout(1) ended because its time was up. */
#ifndef STINT_TIME_UP_H
#define STINT_TIME_UP_H

#include <json-c/json.h>

/*
 * Returns the program that timeout, the process of @entry of the report's timeline, ended because the time that it gave it was up: by its
 * exit code that is so, and no code of the program's own. Borrowed. NULL: else, or if that is not sure.
 */
struct json_object *time_up_program(struct json_object *report, struct json_object *entry);

#endif
