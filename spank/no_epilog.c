/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives stint_contain.so no epilog hook.
 *
 * If any plugin has an epilog hook, slurmd starts a process for it on each node of each job.
 * With PrologFlags=Contain, the end of the extern step is the end of the job, so no hook is needed.
 */
#include "spank/plugin.h"

const bool plugin_has_epilog = false;
