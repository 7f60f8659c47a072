/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plugin of Slurm's says of itself, read from its file without loading it. */
#ifndef STINT_PLUGIN_FILE_H
#define STINT_PLUGIN_FILE_H

#include <stdint.h>

#include "common/error.h"

struct plugin_file {
	char type[64];
	char name[64];
	uint32_t version; /* SLURM_VERSION_NUMBER of the release that it was built for */
};

/*
 * Reads the symbols plugin_type, plugin_name and plugin_version of the shared object @path.
 *
 * Returns 0; -1 with @err saying why Slurm could not load it either: no file, no shared object, one of another machine,
 * cut off, or without these symbols.
 */
int plugin_file_read(const char *path, struct plugin_file *plugin, struct error *err);

/* The parts of a release in plugin_version, as in 24.11.3. Slurm loads a SPANK plugin whose first two are its own. */
#define PLUGIN_MAJOR(version) ((version) >> 16 & 0xff)
#define PLUGIN_MINOR(version) ((version) >> 8 & 0xff)
#define PLUGIN_MICRO(version) ((version) & 0xff)

#endif
