/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what a plugin of Slurm says about itself from its file, without loading it. */
#ifndef STINT_PLUGIN_FILE_H
#define STINT_PLUGIN_FILE_H

#include <stdint.h>

#include "common/error.h"

struct plugin_file {
	char type[64];
	char name[64];
	uint32_t version; /* SLURM_VERSION_NUMBER of the release for which it was built */
};

/*
 * Reads the symbols plugin_type, plugin_name and plugin_version of the shared object @path.
 *
 * Returns 0; -1 with @err set to the reason why Slurm could not load it either: there is no such file, it is no shared
 * object or one for another machine, it is truncated, or it lacks one of these symbols.
 */
int plugin_file_read(const char *path, struct plugin_file *plugin, struct error *err);

/*
 * The parts of a release number in plugin_version, such as 24.11.3. Slurm loads a SPANK plugin whose major and minor
 * number are Slurm's own.
 */
#define PLUGIN_MAJOR(version) ((version) >> 16 & 0xff)
#define PLUGIN_MINOR(version) ((version) >> 8 & 0xff)
#define PLUGIN_MICRO(version) ((version) & 0xff)

#endif
