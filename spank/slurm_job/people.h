/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users whom Slurm allows to see other users' jobs, by their roles in slurmdbd. */
#ifndef STINT_PEOPLE_H
#define STINT_PEOPLE_H

#include <json-c/json.h>

/*
 * Prints the users who have more rights than a plain user.
 *
 * @print: gets one object for each user, and owns it:
 * - "user"
 * - "sees_all": true for operators and administrators
 * - "coordinates": array of the user's accounts, and of all accounts below them
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *people_print(int (*print)(struct json_object *person));

#endif
