/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots: some maps of the kernel programs are arrays, and a job's slot is its index in these arrays. A job without a
 * slot is still counted. Only the contents of the arrays are not known for it.
 */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/abi.h"

struct slots {
	uint64_t jobs[ABI_SLOTS]; /* key of the job; 0: the slot is free */
	unsigned int last;
	unsigned int room; /* number of slots, including slot 0, if less than ABI_SLOTS; 0: ABI_SLOTS */
};

/* Assigns to @job the next free slot after the last assigned one. Returns the slot; 0 if none is free. */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Records that @job, of an earlier stintd, has @slot (0: none). */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns the slot; 0 if the job had none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
