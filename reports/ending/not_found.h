/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of a job script that its shell did not find. */
#ifndef STINT_NOT_FOUND_H
#define STINT_NOT_FOUND_H

#include <json-c/json.h>

/*
 * Returns how many commands the shell of a report's job script could not find or run, as far as the timeline has each process of its
 * own. Commands within a subshell count as one, and only if the subshell ended with such a code. dash forks no child for a name that
 * is in no directory of PATH, so such a command is not known.
 *
 * The shell forks a child for a command. If the command is not found, the child never calls exec and exits with 127; if it is found and
 * cannot be run, with 126 (POSIX, Shell Command Language, 2.8.2 Exit Status for Commands). A program that returns 127 itself does not
 * count: it has its own meaning of it. Neither do other scripts: configure, for example, tries what there is.
 */
int not_found_count(struct json_object *report);

#endif
