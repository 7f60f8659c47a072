/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd --check: what a stint.conf means, before stintd is started with it. */
#ifndef STINT_CHECK_H
#define STINT_CHECK_H

#include "common/conf.h"

/*
 * Prints to standard output what stintd would do with @conf on this node, one subject a line, and what would prevent
 * it. Changes nothing, and needs only the rights to look into the directories.
 *
 * @path: the file that @conf was read from, or where it would be
 *
 * Returns 0; -1 if stintd could not use one of its directories.
 */
int check_print(const struct conf *conf, const char *path);

/*
 * Prints to standard error each line of the file @path that is not understood. Returns how many; 0 or -1: the file cannot
 * be read, or is no text.
 */
int check_mistakes(const char *path);

#endif
