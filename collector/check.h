/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd --check: what a stint.conf would bring about, before stintd is started with it. */
#ifndef STINT_CHECK_H
#define STINT_CHECK_H

#include "common/conf.h"

/*
 * Prints to standard output what stintd would do by @conf on this node, one subject a line, and what would keep it from
 * that. Changes nothing, and asks for no rights but those to look into the directories.
 *
 * @path: the file that @conf was read from, or where it would be
 *
 * Returns 0; -1 when stintd could not use one of its directories.
 */
int check_print(const struct conf *conf, const char *path);

#endif
