/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node's own store, from which perhaps nobody takes batches, keeps the latest. */
#ifndef STINT_STORE_TRIM_H
#define STINT_STORE_TRIM_H

#include <stdint.h>

/*
 * Removes the oldest batches below new/ of the store's directory @at until all take at most @max_bytes. To be called as
 * the user who writes there. Returns how many were removed.
 */
int store_trim(int at, uint64_t max_bytes);

#endif
