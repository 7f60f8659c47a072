/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads Slurm's own configuration, which is slurm.conf with the files that it includes. Does not use libslurm, because
 * libslurm would ask slurmctld for a missing slurm.conf.
 */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* slurmd and sackd store here the file that slurmctld sends them */

/*
 * Returns the path of slurm.conf. If SLURM_CONF is set, this is the path in it. Otherwise it is the installed file if
 * there is one, or else the file that slurmctld sent.
 */
const char *slurm_conf_path(void);

/*
 * Reads the slurm.conf @path, and replaces each include (slurm.conf(5)) by the lines of the included file.
 *
 * Returns the text, which the caller must free. Leaves out an include, and sets @err, if it cannot be read, if includes
 * nest too deep, or if the text would be longer than 16 MiB. If nothing is left out, @err is empty. Returns NULL with
 * @err set if @path itself cannot be read.
 */
char *slurm_conf_read(const char *path, struct error *err);

/*
 * Finds @key, in upper or lower case, in the text of slurm.conf. If several lines have it, the last one counts.
 *
 * Returns false, with @value unchanged, if no line has the key, or if its value does not fit into @size bytes.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/* Finds @key in this machine's slurm.conf. Returns false, with @value unchanged, if the key or the file is missing. */
bool slurm_conf_ask(const char *key, char *value, size_t size);

#endif
