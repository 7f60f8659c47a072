/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own configuration: slurm.conf with the files that it includes. libslurm would ask slurmctld for it if the
 * file is missing.
 */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* slurmd and sackd put what slurmctld sends them here */

/*
 * Returns the path of slurm.conf: the one in SLURM_CONF, or else the installed one, or else the one that slurmctld
 * sent.
 */
const char *slurm_conf_path(void);

/*
 * Reads the slurm.conf @path, and replaces each include (slurm.conf(5)) by the lines of the included file.
 *
 * Returns the text, to be freed. Leaves out includes that cannot be read, that nest too deep, or that would make the
 * text longer than 16 MiB, with @err set; otherwise @err is empty. Returns NULL with @err set if @path itself cannot be
 * read.
 */
char *slurm_conf_read(const char *path, struct error *err);

/*
 * Finds @key, in upper or lower case, in the text of slurm.conf. If several lines have it, the last one counts.
 *
 * Returns false, with @value unchanged, if no line has it or its value does not fit into @size bytes.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/* Finds @key in this machine's slurm.conf. Returns false, with @value unchanged, if the key or the file is missing. */
bool slurm_conf_ask(const char *key, char *value, size_t size);

#endif
