/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd --check: shows what a stint.conf means before stintd is started with it. */
#ifndef STINT_CHECK_H
#define STINT_CHECK_H

#include "common/conf.h"

/*
 * Prints to standard output what stintd would do with @conf on this node, one line for each subject, and what would
 * prevent it. Changes nothing. The caller needs only the right to read the directories.
 *
 * @path: the file of @conf, or where the file would be
 *
 * Returns 0; -1 if stintd could not use one of its directories.
 */
int check_print(const struct conf *conf, const char *path);

/*
 * Prints to standard error each line of the file @path that is not understood. Returns the number of these lines; 0 or
 * -1 if the file cannot be read or is not text.
 */
int check_mistakes(const char *path);

#endif
