/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps only the latest batches of a node's default store, which no program may empty. */
#ifndef STINT_STORE_TRIM_H
#define STINT_STORE_TRIM_H

#include <stdint.h>

/*
 * Removes the oldest batches below new/ until at most @max_bytes are left. Call as the store's user.
 *
 * @at: the store's directory
 *
 * Returns the number of removed batches.
 */
int store_trim(int at, uint64_t max_bytes);

#endif
