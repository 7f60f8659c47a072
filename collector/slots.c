/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/slots.h"

/* Slot 0 is nobody's. */
static unsigned int after(unsigned int slot)
{
	return slot + 1 < RECORD_SLOTS ? slot + 1 : 1;
}

unsigned int slots_take(struct slots *slots, uint64_t job)
{
	unsigned int slot = after(slots->last);

	for (int i = 1; i < RECORD_SLOTS; i++, slot = after(slot)) {
		if (slots->jobs[slot])
			continue;
		slots->jobs[slot] = job;
		slots->last = slot;
		return slot;
	}
	return 0;
}

void slots_keep(struct slots *slots, unsigned int slot, uint64_t job)
{
	if (slot > 0 && slot < RECORD_SLOTS)
		slots->jobs[slot] = job;
}

unsigned int slots_give(struct slots *slots, uint64_t job)
{
	for (unsigned int slot = 1; slot < RECORD_SLOTS; slot++)
		if (slots->jobs[slot] == job) {
			slots->jobs[slot] = 0;
			return slot;
		}
	return 0;
}
