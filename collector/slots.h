/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places that jobs have in those of the kernel programs' maps that are arrays: which are taken, and by
 * whom. A job that finds none is counted all the same; what stands in those maps is not told of it.
 */
#ifndef STINT_SLOTS_H
#define STINT_SLOTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/record.h"

struct slots {
	uint64_t jobs[RECORD_SLOTS]; /* the job's key; 0: free */
	unsigned int last;
	unsigned int room; /* how many there are, slot 0 among them, when fewer than RECORD_SLOTS; 0: all */
};

/* Gives @job a slot, the one that was free longest. Returns it; 0 when none is free. */
unsigned int slots_take(struct slots *slots, uint64_t job);

/* Notes that @job, of an earlier stintd, has @slot (0: none). */
void slots_keep(struct slots *slots, unsigned int slot, uint64_t job);

/* Frees the slot of @job. Returns it; 0 when it had none. */
unsigned int slots_give(struct slots *slots, uint64_t job);

#endif
