/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As much of Slurm's configuration files as the doctor looks at. */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "collector/common/error.h"

/*
 * Finds @key (in any case) in slurm.conf's text; the last one counts.
 *
 * Returns false, with @value untouched, when it is not there.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/* A plugin's line in plugstack.conf. */
struct plugstack_line {
	char file[PATH_MAX];    /* where it stands */
	unsigned int number;
	bool required;
	char plugin[PATH_MAX];  /* as written */
	char run_dir[PATH_MAX]; /* its run_dir= argument, or empty */
};

/*
 * Looks through the plugstack file @path, and what it includes, for the line of stint.so.
 *
 * Returns 1 when it was found, 0 when it was not; -1 with @err set when a file could not be read.
 */
int plugstack_find(const char *path, struct plugstack_line *line, struct error *err);

#endif
