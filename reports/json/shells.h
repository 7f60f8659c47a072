/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises shells. A shell goes on after a failed command, and gives some exit codes its own meanings. */
#ifndef STINT_SHELLS_H
#define STINT_SHELLS_H

#include <stdbool.h>

/*
 * Returns whether the program is a shell, or a script that a shell runs.
 * @interpreter: NULL if the program is not a script
 */
bool shells_is(const char *name, const char *interpreter);

#endif
