/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow. */
#ifndef STINT_ARRAY_H
#define STINT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for one more item at the end of an array. The array has room for the least power of two that is not below
 * its number of items, so callers need not store the room. That holds if the array grew only by this function, from
 * NULL and 0 items; items may be taken off its end.
 *
 * @array: where the pointer to the array is; changed if the array moves
 * @count: items in the array
 * @item_bytes: of one item
 *
 * Returns false, with errno ENOMEM, if out of memory: the array is unchanged.
 */
bool array_room(void *array, size_t count, size_t item_bytes);

#endif
