/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own configuration: the file itself, with what it includes. libslurm would ask slurmctld for it where the file
 * is missing.
 */
#ifndef STINT_SLURM_CONF_H
#define STINT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define SLURM_CONF_CONFIGLESS "/run/slurm/conf/slurm.conf" /* where slurmd and sackd put what slurmctld sends them */

/*
 * Returns the path of slurm.conf: what SLURM_CONF names, else the installed one, else what slurmctld has sent.
 */
const char *slurm_conf_path(void);

/*
 * Reads the slurm.conf @path. The lines of a file that it includes (slurm.conf(5)) stand in the place of the include.
 *
 * Returns the text, to be freed; NULL with @err set when a file cannot be read, when includes nest too deep, or when it
 * all is longer than 16 MiB.
 */
char *slurm_conf_read(const char *path, struct error *err);

/*
 * Finds @key, in any case, in the text of slurm.conf. The last line with it counts.
 *
 * Returns false, with @value untouched, when no line has it, or what it has is longer than @size.
 */
bool slurm_conf_value(const char *text, const char *key, char *value, size_t size);

/*
 * Finds @key in this machine's slurm.conf. Returns false, with @value untouched, when it is not there, or no file is.
 */
bool slurm_conf_ask(const char *key, char *value, size_t size);

#endif
