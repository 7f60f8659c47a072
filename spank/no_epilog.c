/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives stint_contain.so no epilog hook. If any plugin has such a hook, slurmd starts a process on each node of each
 * job to call it. stint_contain.so needs no hook, because with PrologFlags=Contain Slurm has an extern step, and the
 * end of that step is the end of the job.
 */
#include "spank/plugin.h"

const bool plugin_has_epilog = false;
