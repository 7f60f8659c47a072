/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint_contain.so takes no part in the epilog: slurmd starts a process for each job and node if any plugin does. The
 * end of the extern step, which Slurm has with PrologFlags=Contain, is the job's.
 */
#include "spank/plugin.h"

const bool plugin_has_epilog = false;
