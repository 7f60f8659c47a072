/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements stintd --check, which shows what a stint.conf means. */
#ifndef STINT_CHECK_H
#define STINT_CHECK_H

#include "common/conf.h"

/*
 * Prints what stintd would do with @conf on this node, and what would prevent the start of stintd. Changes nothing.
 *
 * @path: the file of @conf, which may be missing
 *
 * Returns 0; -1 if stintd could not use a directory.
 */
int check_print(const struct conf *conf, const char *path);

/*
 * Prints to standard error each line of @path that stintd does not understand.
 * Returns the number of these lines; 0 or -1 if @path is not a readable text.
 */
int check_mistakes(const char *path);

#endif
