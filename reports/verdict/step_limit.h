/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds steps that ran short of memory at a limit of their own (srun --mem), which was below the job's limit. */
#ifndef STINT_STEP_LIMIT_H
#define STINT_STEP_LIMIT_H

#include <stddef.h>

#include "reports/rules/facts.h"

struct step_limit {
	size_t steps;   /* how many steps ran short; 0 if there are none, or if most of the job's waits for memory were in other
			 * steps */
	const char *id; /* the id of the only such step, borrowed from the report; NULL if there are several */
	double limit;   /* bytes; NAN if the steps have different limits */
	double used;    /* the part of its limit that the programs of a step used, as a share. If there are several
			 * steps, the highest share. NAN if not known */
	double share;   /* the share that these steps had in the waits for memory of all steps */
};

/* Finds the steps. If one step alone has most of the job's waits for memory, @found has only this step. */
void step_limit_find(const struct facts *facts, struct step_limit *found);

#endif
