/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurm.conf and the files that it includes.
 * Does not use libslurm, which would ask slurmctld for a missing slurm.conf.
 */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* where slurmd and sackd store the file from slurmctld */

/* Returns $SLURM_CONF if set; else the installed slurm.conf, or SLURM_CONF_CONFIGLESS if only this file exists. */
const char *slurm_conf_path(void);

/*
 * Reads the slurm.conf @path, and replaces each include (slurm.conf(5)) by the lines of its file.
 * Returns the text for free(); NULL with @err set if @path cannot be read.
 *
 * Leaves out an include, and sets @err, if:
 *  - the file cannot be read,
 *  - includes nest too deep,
 *  - the text would be longer than 16 MiB.
 * Otherwise @err is empty.
 */
char *slurm_conf_read(const char *path, struct error *err);

/*
 * Reads the value of the last line with @key, in upper or lower case.
 * Returns false, with @value unchanged, if no line has @key, or if the value does not fit into @size bytes.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/* Finds @key in this machine's slurm.conf. Returns false, with @value unchanged, if key or file is missing. */
bool slurm_conf_ask(const char *key, char *value, size_t size);

#endif
