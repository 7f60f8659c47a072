/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives slots to jobs. Some maps of the kernel programs are arrays, and a job's slot is its index in these arrays. A
 * job without a slot is still counted, but what these arrays would contain about it is not known.
 */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/abi.h"

struct slots {
	uint64_t jobs[ABI_SLOTS]; /* key of the job; 0: the slot is free */
	unsigned int last;
	unsigned int room; /* the number of slots (slot 0 included) if there are fewer than ABI_SLOTS; 0: there are ABI_SLOTS */
};

/*
 * Assigns a slot to @job: the next free slot after the one that was assigned last. Returns the slot; 0 if none is free.
 */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Records that @job has @slot (0: none), which an earlier stintd assigned. */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns the slot; 0 if the job had none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
