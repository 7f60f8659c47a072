/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may see other users' jobs by Slurm's own roles, according to slurmdbd. */
#ifndef STINT_PEOPLE_H
#define STINT_PEOPLE_H

#include <json-c/json.h>

/*
 * Prints the users with more rights than a plain user, with @print, which owns each object: "user", "sees_all"
 * (operators and administrators), and "coordinates", an array of accounts with those below them.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *people_print(int (*print)(struct json_object *person));

#endif
