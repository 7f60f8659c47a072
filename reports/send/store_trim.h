/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps only the latest batches of a node's default store, because there may be no program that removes batches from
 * this store.
 */
#ifndef STINT_STORE_TRIM_H
#define STINT_STORE_TRIM_H

#include <stdint.h>

/*
 * Removes the oldest batches below new/ until the remaining batches have at most @max_bytes. Call this as the user who
 * writes to the store. Returns how many batches were removed.
 *
 * @at: descriptor of the store's directory
 */
int store_trim(int at, uint64_t max_bytes);

#endif
