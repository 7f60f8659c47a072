/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may see other users' jobs by Slurm's own roles, as slurmdbd has them. */
#ifndef STINT_PEOPLE_H
#define STINT_PEOPLE_H

#include <json-c/json.h>

/*
 * Prints with @print, which owns each object, the users who are more than users: "user", "sees_all" (operators and
 * administrators), and "coordinates", an array of accounts with those below them.
 *
 * Returns NULL; else why there is no answer.
 */
const char *people_print(int (*print)(struct json_object *person));

#endif
