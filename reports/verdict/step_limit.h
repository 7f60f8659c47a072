/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds steps that ran short of memory at a limit of their own (srun --mem), below the job's limit. */
#ifndef STINT_STEP_LIMIT_H
#define STINT_STEP_LIMIT_H

#include <stddef.h>

#include "reports/rules/facts.h"

struct step_limit {
	size_t steps;   /* how many steps ran short of memory; 0 if none, or if other steps had most waits for memory */
	const char *id; /* id of the only step, borrowed from the report; NULL if several steps ran short */
	double limit;   /* bytes; NAN if the steps have different limits */
	double used;    /* the highest used share of a limit among these steps; NAN if unknown */
	double share;   /* these steps' share of all waits for memory */
};

/* Finds the steps that ran short of memory. If one step has most of the waits for memory, finds only this step. */
void step_limit_find(const struct facts *facts, struct step_limit *found);

#endif
