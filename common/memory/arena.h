/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for objects that are made piece by piece and freed all at once. A single piece cannot be freed. The last piece
 * can grow in place, so an array can grow. If the piece has a chunk of its own, it grows by realloc().
 */
#ifndef STINT_ARENA_H
#define STINT_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Must be all zero at first, except @most. */
struct arena {
	struct arena_chunk *last; /* the chunk from which new pieces come; it links to the others */
	size_t bytes; /* size of all chunks in bytes */
	size_t most;  /* the most bytes that all chunks may have; 0: no limit */
};

/*
 * Returns @size bytes with undefined content, aligned for any type of up to 16 bytes. Returns NULL with errno EFBIG if
 * the arena would grow beyond its limit, or ENOMEM if out of memory.
 */
void *arena_get(struct arena *arena, size_t size);

/*
 * Resizes the piece @memory from @had bytes to @size bytes, which may be more or fewer. @memory may be NULL if @had is
 * 0. If the piece becomes larger, it may move.
 *
 * Returns the piece; NULL with errno like arena_get(), and then the piece is unchanged.
 */
void *arena_resize(struct arena *arena, void *memory, size_t had, size_t size);

/* Frees all pieces. The arena can be used again. */
void arena_free(struct arena *arena);

#endif
