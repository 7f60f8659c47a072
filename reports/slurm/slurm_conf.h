/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of Slurm's configuration files that stint doctor reads. */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* where slurmd and sackd put what slurmctld sends them */

/*
 * Returns the path of slurm.conf: what SLURM_CONF names, else the installed one, else what slurmctld has sent.
 */
const char *slurm_conf_path(void);

/*
 * Finds @key, in any case, in the text of slurm.conf. The last line with it counts.
 *
 * Returns false, with @value untouched, when no line has it.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/* A plugin's line in plugstack.conf. */
struct plugstack_line {
	char file[PATH_MAX];    /* the file that has the line */
	unsigned int number;
	bool required;
	char plugin[PATH_MAX];  /* as written */
	char arguments[PATH_MAX]; /* what is behind it, words with a blank between; cut where there is more */
};

/*
 * Searches the plugstack file @path, and what it includes, for the line of stint.so.
 *
 * Returns 1 when the line was found, 0 when it was not; -1 with @err set when a file could not be read.
 */
int plugstack_find(const char *path, struct plugstack_line *line, struct error *err);

#endif
