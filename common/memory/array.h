/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow. */
#ifndef STINT_ARRAY_H
#define STINT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for one more item at the end of an array. The room of an array is always the smallest power of two that
 * is not below its number of items, so callers need not store the room. This is true only if the array began as NULL
 * with 0 items, and only this function made it grow. Callers may remove items from the end of the array.
 *
 * @array: the address of the pointer to the array; the pointer is changed if the array moves
 * @count: number of items in the array
 * @item_bytes: size of one item in bytes
 *
 * Returns true; false with errno ENOMEM if out of memory, and then the array is unchanged.
 */
bool array_room(void *array, size_t count, size_t item_bytes);

#endif
