/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows which programs are shells. A shell continues if a command fails, and gives some exit codes a meaning of its
 * own.
 */
#ifndef STINT_SHELLS_H
#define STINT_SHELLS_H

#include <stdbool.h>

/*
 * Returns true if the program called @name is a shell, or a script that a shell runs. @interpreter: NULL if the
 * program is not a script
 */
bool shells_is(const char *name, const char *interpreter);

#endif
