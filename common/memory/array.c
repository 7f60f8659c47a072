/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/array.h"

#include <stdlib.h>
#include <string.h>

bool array_room(void *array, size_t count, size_t item_bytes)
{
	void *now, *more;

	if (count & (count - 1))
		return true;
	/* C's aliasing rules forbid reading the caller's pointer as a pointer to void. */
	memcpy(&now, array, sizeof(now));
	more = reallocarray(now, count ? 2 * count : 1, item_bytes);
	if (more)
		memcpy(array, &more, sizeof(more));
	return more;
}
