/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users whom Slurm allows to see other users' jobs. slurmdbd knows these users' roles. */
#ifndef STINT_PEOPLE_H
#define STINT_PEOPLE_H

#include <json-c/json.h>

/*
 * Prints the users who have more rights than a plain user. Calls @print with one object for each user, and @print
 * owns the object. The object has "user", "sees_all" (true for operators and administrators), and "coordinates". The
 * latter is an array of the accounts that the user coordinates, and of all accounts below these.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *people_print(int (*print)(struct json_object *person));

#endif
