/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps only the latest batches of a node's default store, because there may be no program that removes batches from
 * it.
 */
#ifndef STINT_STORE_TRIM_H
#define STINT_STORE_TRIM_H

#include <stdint.h>

/*
 * Removes the oldest batches below new/ of the store's directory @at until the batches have at most @max_bytes. Call
 * as the user who writes there. Returns how many batches were removed.
 */
int store_trim(int at, uint64_t max_bytes);

#endif
