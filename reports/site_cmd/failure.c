/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/failure.h"

#include <stdio.h>
#include <stdlib.h>

char failure_who[SITE_TEXT] = WHO;

int fail(const char *text)
{
	fprintf(stderr, "%s: %s\n", failure_who, text);
	return EXIT_FAILURE;
}

int say_busy(void)
{
	fprintf(stderr, "%s: " LOCKED "\n", failure_who);
	return EXIT_SUCCESS;
}
