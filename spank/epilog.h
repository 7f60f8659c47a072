/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin in a node's epilog: tells the collector that the job has left the node. */
#ifndef STINT_EPILOG_H
#define STINT_EPILOG_H

#include <slurm/spank.h>

#include "spank/options.h"

/*
 * Closes the job, and holds the epilog until its report is written or cannot
 * be, or for CONTROL_CLOSE_WAIT_MS.
 */
void epilog_run(spank_t spank, const struct options_arguments *site, const struct options_job *job);

#endif
