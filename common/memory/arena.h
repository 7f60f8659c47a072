/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives memory in pieces, which are all freed at once. The last piece can grow. */
#ifndef STINT_ARENA_H
#define STINT_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Must be zero at first, except most. */
struct arena {
	struct arena_chunk *last; /* the newest chunk, which gives new pieces */
	size_t bytes; /* of all chunks */
	size_t most;  /* in bytes; 0: no limit */
};

/*
 * Returns @size bytes, aligned to 16 and not cleared.
 * Returns NULL with errno EFBIG (over the limit) or ENOMEM.
 */
void *arena_get(struct arena *arena, size_t size);

/*
 * Resizes the piece @memory from @had to @size bytes. The piece may move. @memory may be NULL if @had is 0.
 *
 * Returns the piece; NULL with errno like arena_get() and the piece unchanged.
 */
void *arena_resize(struct arena *arena, void *memory, size_t had, size_t size);

/* Frees all pieces. The arena can be used again. */
void arena_free(struct arena *arena);

#endif
