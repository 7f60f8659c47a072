/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin in a node's epilog: it informs the collector that the job has left the node. */
#ifndef STINT_EPILOG_H
#define STINT_EPILOG_H

#include <slurm/spank.h>

#include "spank/options.h"

/*
 * Closes the job: sends its close to the collector, and holds the epilog until the collector answers,
 * or for CONTROL_CLOSE_WAIT_MS (common/control.h). Without an answer it leaves a note.
 */
void epilog_run(spank_t spank, const struct options_arguments *site, const struct options_job *job);

#endif
