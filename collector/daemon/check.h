/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements stintd --check, which shows what a stint.conf means before an administrator starts stintd with it.
 */
#ifndef STINT_CHECK_H
#define STINT_CHECK_H

#include "common/conf.h"

/*
 * Prints to standard output what stintd would do with @conf on this node, one line for each subject. Also prints what
 * would prevent stintd from starting. Changes nothing. The caller needs only the right to read the directories.
 *
 * @path: the path of the file that @conf was read from, or would be read from if it existed
 *
 * Returns 0; -1 if stintd could not use one of its directories.
 */
int check_print(const struct conf *conf, const char *path);

/*
 * Prints to standard error each line of the file @path that stintd does not understand. Returns the number of these
 * lines. Returns 0 or -1 if the file cannot be read or is not text.
 */
int check_mistakes(const char *path);

#endif
