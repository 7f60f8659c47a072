/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that ran short of memory at a limit of their own (srun --mem), below the job's. */
#ifndef STINT_STEP_LIMIT_H
#define STINT_STEP_LIMIT_H

#include <stddef.h>

#include "reports/rules/facts.h"

struct step_limit {
	size_t steps;   /* how many; 0: there are none, or most of the job's waits for memory were elsewhere */
	const char *id; /* the only step's, borrowed from the report; NULL: there are several */
	double limit;   /* bytes; NAN: they have different ones */
	double used;    /* the highest part of its limit that the programs of one of them used; NAN: not known */
	double share;   /* of the waits for memory of all steps */
};

/* Finds the steps. If one alone has most of the job's waits for memory, it is the only one. */
void step_limit_find(const struct facts *facts, struct step_limit *found);

#endif
