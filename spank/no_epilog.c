/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint_contain.so has no epilog hook, because slurmd starts a process for each job and node if any plugin has one.
 * With PrologFlags=Contain, Slurm has an extern step, and the end of that step is the end of the job.
 */
#include "spank/plugin.h"

const bool plugin_has_epilog = false;
