/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots: the indexes of jobs in those maps of the kernel programs that are arrays. A job without a slot is still
 * counted; only the contents of these maps are not known for it.
 */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/abi.h"

struct slots {
	uint64_t jobs[ABI_SLOTS]; /* the job's key; 0: free */
	unsigned int last;
	unsigned int room; /* how many slots there are, slot 0 included, if fewer than ABI_SLOTS; 0: ABI_SLOTS */
};

/* Gives @job a slot: the next free one after the last that was given. Returns it; 0 if none is free. */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Notes that @job, of an earlier stintd, has @slot (0: none). */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns it; 0 if it had none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
