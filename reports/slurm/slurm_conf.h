/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads Slurm's own configuration, which is slurm.conf with the files that it includes. If the file is missing,
 * libslurm would ask slurmctld for it.
 */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* slurmd and sackd store here the file that slurmctld sends them */

/*
 * Returns the path of slurm.conf. This is the path in SLURM_CONF if it is set, otherwise the installed file, otherwise
 * the file that slurmctld sent.
 */
const char *slurm_conf_path(void);

/*
 * Reads the slurm.conf @path, and replaces each include (slurm.conf(5)) by the lines of the included file.
 *
 * Returns the text, which the caller must free. If includes cannot be read, nest too deep, or would make the text
 * longer than 16 MiB, leaves them out and sets @err. Otherwise @err is empty. Returns NULL with @err set if @path
 * itself cannot be read.
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
