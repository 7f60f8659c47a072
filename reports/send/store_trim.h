/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps only the latest batches of a node's own store: perhaps nothing ever takes batches from it. */
#ifndef STINT_STORE_TRIM_H
#define STINT_STORE_TRIM_H

#include <stdint.h>

/*
 * Removes the oldest batches below new/ of the store's directory @at until the batches take at most @max_bytes. Call as the user
 * who writes there. Returns how many were removed.
 */
int store_trim(int at, uint64_t max_bytes);

#endif
