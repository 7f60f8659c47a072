/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives memory in pieces that are all freed at once. No single piece can be freed. The last piece can grow in place,
 * so an array can grow. If the last piece fills a chunk alone, it grows by realloc().
 */
#ifndef STINT_ARENA_H
#define STINT_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Must be all zero at first, except @most. */
struct arena {
	struct arena_chunk *last; /* the newest chunk, from which new pieces come; each chunk links to the one before it */
	size_t bytes; /* size of all chunks in bytes */
	size_t most;  /* the most bytes that all chunks may have; 0: no limit */
};

/*
 * Returns @size bytes, aligned for any type of up to 16 bytes. Does not clear them. Returns NULL with errno EFBIG if
 * the arena would exceed its limit, or ENOMEM if out of memory.
 */
void *arena_get(struct arena *arena, size_t size);

/*
 * Changes the size of the piece @memory from @had bytes to @size bytes. The piece may grow or shrink. If it grows, it
 * may move. @memory may be NULL if @had is 0.
 *
 * Returns the piece; NULL with errno like arena_get(), and then the piece is unchanged.
 */
void *arena_resize(struct arena *arena, void *memory, size_t had, size_t size);

/* Frees all pieces. The arena can be used again. */
void arena_free(struct arena *arena);

#endif
