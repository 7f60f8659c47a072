/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the type, name and version of a Slurm plugin without loading the plugin. */
#ifndef STINT_PLUGIN_FILE_H
#define STINT_PLUGIN_FILE_H

#include <stdint.h>

#include "common/error.h"

struct plugin_file {
	char type[64];
	char name[64];
	uint32_t version; /* SLURM_VERSION_NUMBER of the Slurm that the plugin was built for */
};

/*
 * Reads the symbols plugin_type, plugin_name and plugin_version of the shared object @path.
 * Returns 0; -1 with @err set if the file is not a plugin that Slurm can load.
 */
int plugin_file_read(const char *path, struct plugin_file *plugin, struct error *err);

/*
 * The parts of plugin_version: 24, 11 and 3 of release 24.11.3.
 * Slurm loads a SPANK plugin only if the plugin has the same major and minor numbers as Slurm.
 */
#define PLUGIN_MAJOR(version) ((version) >> 16 & 0xff)
#define PLUGIN_MINOR(version) ((version) >> 8 & 0xff)
#define PLUGIN_MICRO(version) ((version) & 0xff)

#endif
