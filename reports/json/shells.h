/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows which programs are shells. A shell continues if a command fails, and reports some things by exit codes of its
 * own.
 */
#ifndef STINT_SHELLS_H
#define STINT_SHELLS_H

#include <stdbool.h>

/* Returns whether the program is a shell, or a script that a shell runs. @interpreter: NULL: it is no script */
bool shells_is(const char *name, const char *interpreter);

#endif
