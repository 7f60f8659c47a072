/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/slots.h"

static unsigned int room_of(const struct slots *slots)
{
	return slots->room && slots->room < ABI_SLOTS ? slots->room : ABI_SLOTS;
}

/* Skips slot 0, which belongs to no job. */
static unsigned int after(const struct slots *slots, unsigned int slot)
{
	return slot + 1 < room_of(slots) ? slot + 1 : 1;
}

unsigned int slots_take(struct slots *slots, uint64_t job)
{
	unsigned int slot = after(slots, slots->last);

	for (unsigned int i = 1; i < room_of(slots); i++, slot = after(slots, slot)) {
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
	if (slot > 0 && slot < ABI_SLOTS)
		slots->jobs[slot] = job;
}

unsigned int slots_give(struct slots *slots, uint64_t job)
{
	for (unsigned int slot = 1; slot < ABI_SLOTS; slot++)
		if (slots->jobs[slot] == job) {
			slots->jobs[slot] = 0;
			return slot;
		}
	return 0;
}
