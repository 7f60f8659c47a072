/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line of Slurm's plugstack.conf that loads the plugin. */
#ifndef STINT_PLUGSTACK_H
#define STINT_PLUGSTACK_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define PLUGSTACK_CONTAIN "stint_contain.so" /* the plugin that needs Slurm's extern step, and takes no part in the epilog */

/* A plugin's line in plugstack.conf; or where the search for it failed, its first two members alone. */
struct plugstack_line {
	char file[PATH_MAX];    /* the file that has the line; or that could not be read */
	int error;              /* errno of that, or 0 */
	unsigned int number;
	bool required;
	char plugin[PATH_MAX];  /* as written */
	bool contain; /* it is PLUGSTACK_CONTAIN */
	char arguments[PATH_MAX]; /* what is behind it, words with a blank between; cut where there is more */
};

/*
 * Searches the plugstack file @path, and what it includes, for the line of stint.so or PLUGSTACK_CONTAIN.
 *
 * Returns 1 when the line was found, 0 when it was not; -1 with @err set, and @line->file and @line->error, when a file
 * could not be read, or (with 0 as @line->error) its includes nest too deep.
 */
int plugstack_find(const char *path, struct plugstack_line *line, struct error *err);

/*
 * Calls @see for the plugstack file @path and all that it includes, before and behind stint's line: where a user cannot read one of
 * them, Slurm loads none of that user's plugins (_spank_stack_load() in src/common/spank.c). A directory that is searched
 * by a pattern comes before its files, with @listed: glob() finds nothing in one that the user cannot list. What cannot be read is
 * seen, too. Of very many files, only the first PLUGSTACK_SEEN_MAX are seen.
 */
#define PLUGSTACK_SEEN_MAX 1000
void plugstack_each(const char *path, void (*see)(void *data, const char *place, bool listed), void *data);

#endif
