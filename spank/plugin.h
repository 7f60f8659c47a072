/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the data that the plugin's hooks share. There are two plugins, which differ in one hook: stint.so has a
 * hook for Slurm's epilog (spank/epilog.c), and stint_contain.so has none (spank/no_epilog.c).
 */
#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

#include <slurm/spank.h>

#include <errno.h>
#include <stdbool.h>

#include "spank/options.h"

struct plugin {
	bool enabled; /* whether the site's arguments in plugstack.conf are valid */
	struct options_arguments site;
	struct options_job job;
};

extern struct plugin plugin;

/*
 * Whether this plugin has a hook for Slurm's epilog. If it does, slurmd starts a process on each node of each job to
 * call the hook. If it does not, the end of the extern step counts as the end of the job.
 */
extern const bool plugin_has_epilog;

/* Reads the plugin's arguments in plugstack.conf. Sets plugin.enabled and plugin.site. */
void plugin_read_arguments(int count, char *arguments[]);

/* Reads --stint in a context where Slurm does not call the option's callback. Sets plugin.job. */
void plugin_read_option(spank_t spank);

static inline void plugin_give_back(const int *saved)
{
	errno = *saved;
}

/* Restores errno when a hook returns, because Slurm uses errno after the hook. Must be the first declaration in the hook. */
#define KEEPS_ERRNO const int saved __attribute__((cleanup(plugin_give_back), unused)) = errno

#endif
