/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives slots to jobs. A slot is a job's index in the maps that are arrays. */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/abi.h"

struct slots {
	uint64_t jobs[ABI_SLOTS]; /* key of the job; 0: free */
	unsigned int last;
	unsigned int room; /* 0: ABI_SLOTS */
};

/* Gives @job the next free slot. Returns the slot; 0 if none is free. */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Records the @slot that an earlier stintd gave to @job; 0: none. */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns it; 0 if there was none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
