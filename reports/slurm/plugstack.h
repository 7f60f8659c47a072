/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_PLUGSTACK_H
#define STINT_PLUGSTACK_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define PLUGSTACK_CONTAIN "stint_contain.so" /* needs Slurm's extern step, and does nothing in the epilog */

/* A plugin's line in plugstack.conf. A failed search sets only file and error. */
struct plugstack_line {
	char file[PATH_MAX];    /* the file with the line, or the file that could not be read */
	int error;              /* errno of the failed read, or 0 */
	unsigned int number;
	bool required;
	char plugin[PATH_MAX];
	bool contain; /* the plugin is PLUGSTACK_CONTAIN */
	char arguments[PATH_MAX]; /* separated by blanks; cut if too long */
};

/*
 * Searches for the line of stint.so or PLUGSTACK_CONTAIN in @path, and in files that @path includes.
 * Returns 1 if there is a line, 0 if there is none.
 * If a file cannot be read, returns -1 with @err, @line->file and @line->error set.
 * If includes nest too deep, returns -1 with @err set and @line->error 0.
 */
int plugstack_find(const char *path, struct plugstack_line *line, struct error *err);

/*
 * Calls @see for @path and for each file that it includes, at most PLUGSTACK_SEEN_MAX times.
 *
 * If a user cannot read one of the files, Slurm loads no plugins for this user (_spank_stack_load() in
 * src/common/spank.c).
 * So @see is also called for files that cannot be read.
 *
 * If an include has a pattern, @see is first called for its directory, with @listed set.
 * A user who cannot list this directory gets no files from glob().
 */
#define PLUGSTACK_SEEN_MAX 1000
void plugstack_each(const char *path, void (*see)(void *data, const char *place, bool listed), void *data);

#endif
