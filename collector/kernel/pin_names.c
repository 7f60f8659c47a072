/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/pin_names.h"

#include <string.h>

static const char *const names[PROGRAMS] = {
#define NAME(name, needed) #name,
	PROGRAM_NAMES(NAME)
#undef NAME
};

/* A program that stintd runs itself has no link. Such a program is pinned itself, under another name. */
const char *pin_name(enum program program)
{
	if (program == PROGRAM_member_scan)
		return "scan";
	if (program == PROGRAM_living_tasks)
		return "living";
	if (program == PROGRAM_memory_slab)
		return "slab";
	return program == PROGRAM_sample_tasks ? "sample" : names[program];
}

bool pin_is_known(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (strcmp(pin_name(i), name) == 0)
			return true;
	return false;
}
