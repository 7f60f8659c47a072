/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loses 4711 bytes, to show that a leak would be reported here. */
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

int main(void)
{
	kept = malloc(4711);
	memset(kept, 1, 4711);
	kept = NULL;
	return 0;
}
