/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots: the indexes that jobs have in those maps of the kernel programs that are arrays, and which job has each. A job
 * without a slot is counted all the same; only what these maps hold is not known of it.
 */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/abi.h"

struct slots {
	uint64_t jobs[ABI_SLOTS]; /* the job's key; 0: free */
	unsigned int last;
	unsigned int room; /* how many slots there are, slot 0 included, when fewer than ABI_SLOTS; 0: ABI_SLOTS */
};

/* Gives @job a slot: the next free one after the last that was given. Returns it; 0 when none is free. */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Notes that @job, of an earlier stintd, has @slot (0: none). */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns it; 0 when it had none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
