/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the steps that srun started needed of the job: to run beside each other, and to start. */
#ifndef STINT_SRUN_STEPS_H
#define STINT_SRUN_STEPS_H

#include "reports/rules/facts.h"

/* Fills facts.steps and the facts whose names begin with that. facts_read() calls it, when the job's memory is known. */
void srun_steps_read(struct facts *facts);

#endif
