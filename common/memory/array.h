/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow. */
#ifndef STINT_ARRAY_H
#define STINT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for one more item at the end of an array.
 *
 * The array must begin as NULL with 0 items, and grow only by this function. Items may be removed at the end.
 * The room is always the smallest power of two that fits.
 *
 * @array: address of the pointer to the array
 * @count: items in the array
 * @item_bytes: size of an item
 *
 * Returns true; false with errno ENOMEM and the array unchanged.
 */
bool array_room(void *array, size_t count, size_t item_bytes);

#endif
