/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/moved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/pattern.h"
#include "reports/files/reach.h"

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool moved_is_link(const char *path)
{
	static const char pattern[] = PATTERN_LINK;

	return strncmp(name_of(path), pattern, strcspn(pattern, "%")) == 0;
}

void moved_follow(char **path)
{
	cleanup_free char *target = *path && moved_is_link(*path) ? reach_link(*path) : NULL;
	char *followed;

	if (!target || asprintf(&followed, "%.*s%s", *target == '/' ? 0 : (int)(name_of(*path) - *path), *path, target) < 0)
		return;
	free(*path);
	*path = followed;
}
