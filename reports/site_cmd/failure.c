/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/failure.h"

#include <stdio.h>
#include <stdlib.h>

char failure_who[SITE_TEXT] = WHO;

int failure_fd = -1;

int fail(const char *text)
{
	if (failure_fd >= 0)
		dprintf(failure_fd, "%s", text);
	else
		fprintf(stderr, "%s: %s\n", failure_who, text);
	return EXIT_FAILURE;
}

void failure_over(void)
{
	if (failure_fd >= 0)
		dprintf(failure_fd, "%c", FAILURE_OVER);
}

int say_busy(void)
{
	if (failure_fd >= 0)
		return fail(LOCKED);
	fprintf(stderr, "%s: " LOCKED "\n", failure_who);
	return EXIT_SUCCESS;
}
