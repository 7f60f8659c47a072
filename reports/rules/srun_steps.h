/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what the steps of srun needed from the job to start, and to run at the same time. */
#ifndef STINT_SRUN_STEPS_H
#define STINT_SRUN_STEPS_H

#include "reports/rules/facts.h"

/*
 * Fills facts.steps and all facts whose names begin with steps. facts_read() calls this function when the job's memory
 * is known.
 */
void srun_steps_read(struct facts *facts);

#endif
