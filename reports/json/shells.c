/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/shells.h"

#include <stddef.h>
#include <string.h>

/* The name of a login shell begins with a hyphen. */
static bool is_name(const char *name)
{
	static const char *const names[] = { "sh",   "bash",  "dash", "zsh",  "ksh", "ksh93", "mksh",
					     "rksh", "rbash", "csh",  "tcsh", "ash", "fish",  "yash" };

	if (name && *name == '-')
		name++;
	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool shells_is(const char *name, const char *interpreter)
{
	return is_name(interpreter ? interpreter : name);
}
