/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the line of Slurm's plugstack.conf that loads stint's plugin. */
#ifndef STINT_PLUGSTACK_H
#define STINT_PLUGSTACK_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define PLUGSTACK_CONTAIN "stint_contain.so" /* the plugin that needs Slurm's extern step, and does nothing in the epilog */

/* A plugin's line in plugstack.conf. If the search failed, only file and error are set. */
struct plugstack_line {
	char file[PATH_MAX];    /* the file that has the line, or the file that could not be read */
	int error;              /* errno of the failed read, or 0 */
	unsigned int number;
	bool required;
	char plugin[PATH_MAX];  /* as written */
	bool contain; /* the plugin is PLUGSTACK_CONTAIN */
	char arguments[PATH_MAX]; /* the words after the plugin, separated by blanks; cut if they do not fit */
};

/*
 * Searches the plugstack file @path, and the files that it includes, for the line of stint.so or PLUGSTACK_CONTAIN.
 *
 * Returns 1 if it found the line; 0 if there is no such line. If a file could not be read, returns -1 with @err,
 * @line->file and @line->error set. If the includes nest too deep, also returns -1, and @line->error is 0.
 */
int plugstack_find(const char *path, struct plugstack_line *line, struct error *err);

/*
 * Calls @see for the plugstack file @path and for all files that it includes, also after stint's line. If a user cannot
 * read one of these files, Slurm loads none of that user's plugins (_spank_stack_load() in src/common/spank.c). So @see
 * is also called for files that cannot be read.
 *
 * If an include has a pattern, @see is called for the pattern's directory before the files, with @listed set, because
 * glob() finds nothing in a directory that the user cannot list. @see is called for at most PLUGSTACK_SEEN_MAX paths.
 */
#define PLUGSTACK_SEEN_MAX 1000
void plugstack_each(const char *path, void (*see)(void *data, const char *place, bool listed), void *data);

#endif
