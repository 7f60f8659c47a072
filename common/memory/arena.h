/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for objects that are made piece by piece and freed all at once. No piece is freed by itself. An array that is the last
 * piece can grow in place, or by realloc() once it has a chunk of its own.
 */
#ifndef STINT_ARENA_H
#define STINT_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* All zero at first, except @most. */
struct arena {
	struct arena_chunk *last; /* the chunk that pieces come from; it knows the others */
	size_t bytes; /* of all chunks */
	size_t most;  /* bytes that they may have; 0: no bound */
};

/*
 * Returns @size bytes with any content, aligned for any type of up to 16 bytes. Returns NULL with errno EFBIG if the
 * arena would grow beyond its bound, or ENOMEM.
 */
void *arena_get(struct arena *arena, size_t size);

/*
 * Resizes the piece @memory from @had bytes to @size bytes, more or fewer; @memory may be NULL, with @had 0. The piece may move
 * if it becomes larger.
 *
 * Returns the piece; NULL as arena_get() does, and the piece is unchanged.
 */
void *arena_resize(struct arena *arena, void *memory, size_t had, size_t size);

/* Frees all pieces. The arena can be used again. */
void arena_free(struct arena *arena);

#endif
