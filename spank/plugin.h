/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines what the plugin's hooks share.
 *
 * stint.so has a hook for Slurm's epilog (spank/epilog.c). stint_contain.so has none (spank/no_epilog.c).
 */
#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

#include <slurm/spank.h>

#include <errno.h>
#include <stdbool.h>

#include "spank/options.h"

struct plugin {
	bool enabled;
	struct options_arguments site;
	struct options_job job;
};

extern struct plugin plugin;

/* True if this plugin has a hook for Slurm's epilog. If false, the end of the extern step is the end of the job. */
extern const bool plugin_has_epilog;

/* Reads the arguments in plugstack.conf. Sets plugin.enabled and plugin.site. */
void plugin_read_arguments(int count, char *arguments[]);

/* Reads --stint where Slurm does not call the option's callback. Sets plugin.job. */
void plugin_read_option(spank_t spank);

static inline void plugin_give_back(const int *saved)
{
	errno = *saved;
}

/* Restores errno, which Slurm uses after a hook. Must be the hook's first declaration. */
#define KEEPS_ERRNO const int saved __attribute__((cleanup(plugin_give_back), unused)) = errno

#endif
