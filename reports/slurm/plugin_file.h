/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the type, the name and the version of a Slurm plugin from the plugin's file, without loading the plugin. */
#ifndef STINT_PLUGIN_FILE_H
#define STINT_PLUGIN_FILE_H

#include <stdint.h>

#include "common/error.h"

struct plugin_file {
	char type[64];
	char name[64];
	uint32_t version; /* SLURM_VERSION_NUMBER of the Slurm release for which the plugin was built */
};

/*
 * Reads the symbols plugin_type, plugin_name and plugin_version of the shared object @path.
 *
 * Returns 0. On failure returns -1 with @err set to the reason. For the same reason, Slurm cannot load the plugin
 * either. The file may be missing or truncated, it may be no shared object, it may be for another machine, or it may
 * lack one of these symbols.
 */
int plugin_file_read(const char *path, struct plugin_file *plugin, struct error *err);

/*
 * The parts of a release number in plugin_version, such as 24.11.3. Slurm loads a SPANK plugin only if the major and
 * minor numbers are the same as Slurm's own.
 */
#define PLUGIN_MAJOR(version) ((version) >> 16 & 0xff)
#define PLUGIN_MINOR(version) ((version) >> 8 & 0xff)
#define PLUGIN_MICRO(version) ((version) & 0xff)

#endif
