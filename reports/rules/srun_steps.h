/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what srun's steps needed from the job to start, and to run at the same time. */
#ifndef STINT_SRUN_STEPS_H
#define STINT_SRUN_STEPS_H

#include "reports/rules/facts.h"

/* Fills facts.steps and all facts whose names begin with steps. The job's memory must be known. */
void srun_steps_read(struct facts *facts);

#endif
