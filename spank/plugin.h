/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin's hooks share. There are two plugins, which differ in one hook: stint.so takes part in Slurm's epilog
 * (spank/epilog.c), stint_contain.so does not (spank/no_epilog.c).
 */
#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

#include <slurm/spank.h>

#include <errno.h>
#include <stdbool.h>

#include "spank/options.h"

struct plugin {
	bool enabled; /* the site's arguments are right */
	struct options_arguments site;
	struct options_job job;
};

extern struct plugin plugin;

/*
 * Whether Slurm runs an epilog of this plugin, for which slurmd starts a process for each job and node. If not, the job
 * is over when its extern step is.
 */
extern const bool plugin_has_epilog;

/* Reads the plugin's arguments in plugstack.conf; sets plugin.enabled and plugin.site. */
void plugin_read_arguments(int count, char *arguments[]);

/* Reads --stint if Slurm does not pass it by itself; sets plugin.job. */
void plugin_read_option(spank_t spank);

static inline void plugin_give_back(const int *saved)
{
	errno = *saved;
}

/* errno is Slurm's own. Must be declared first in a hook. */
#define KEEPS_ERRNO const int saved __attribute__((cleanup(plugin_give_back), unused)) = errno

#endif
