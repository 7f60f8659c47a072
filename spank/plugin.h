/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data that the plugin's hooks share. There are two plugins, which differ in one hook: stint.so has a hook for
 * Slurm's epilog (spank/epilog.c), and stint_contain.so has none (spank/no_epilog.c).
 */
#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

#include <slurm/spank.h>

#include <errno.h>
#include <stdbool.h>

#include "spank/options.h"

struct plugin {
	bool enabled; /* whether the site's arguments are valid */
	struct options_arguments site;
	struct options_job job;
};

extern struct plugin plugin;

/*
 * Whether this plugin has a hook for Slurm's epilog. If it has, slurmd starts a process for each job and node to call
 * it. If it has not, the job is over when its extern step is over.
 */
extern const bool plugin_has_epilog;

/* Reads the plugin's arguments in plugstack.conf. Sets plugin.enabled and plugin.site. */
void plugin_read_arguments(int count, char *arguments[]);

/* Reads --stint in a context in which Slurm does not call the option's callback. Sets plugin.job. */
void plugin_read_option(spank_t spank);

static inline void plugin_give_back(const int *saved)
{
	errno = *saved;
}

/* Restores errno at the end of a hook, because Slurm uses it. Must be the first declaration in a hook. */
#define KEEPS_ERRNO const int saved __attribute__((cleanup(plugin_give_back), unused)) = errno

#endif
