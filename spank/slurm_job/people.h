/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users who may see other users' jobs by Slurm's own roles. slurmdbd knows the roles. */
#ifndef STINT_PEOPLE_H
#define STINT_PEOPLE_H

#include <json-c/json.h>

/*
 * Prints the users who have more rights than a plain user. Calls @print for each object, and @print owns the object. It
 * has "user", "sees_all" (true for operators and administrators), and "coordinates", an array of the accounts that the
 * user coordinates, including the accounts below them.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *people_print(int (*print)(struct json_object *person));

#endif
