/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_MIN ((size_t)4 << 10)
#define CHUNK_MAX ((size_t)1 << 20)
#define PIECE 16

struct arena_chunk {
	struct arena_chunk *before;
	size_t room, used;
	_Alignas(PIECE) char memory[];
};

static size_t whole_pieces(size_t size)
{
	return (size + PIECE - 1) & ~(size_t)(PIECE - 1);
}

/* Returns false with errno EFBIG if this would exceed the limit. */
static bool count_bytes(struct arena *arena, size_t more)
{
	if (arena->most && (more > arena->most || arena->bytes > arena->most - more)) {
		errno = EFBIG;
		return false;
	}
	arena->bytes += more;
	return true;
}

/* Each chunk is as large as all earlier chunks together, up to CHUNK_MAX. */
static struct arena_chunk *add_chunk(struct arena *arena, size_t size)
{
	size_t room = arena->bytes < CHUNK_MIN ? CHUNK_MIN : arena->bytes < CHUNK_MAX ? arena->bytes : CHUNK_MAX;
	struct arena_chunk *chunk;

	if (room < size)
		room = size;
	if (!count_bytes(arena, room))
		return NULL;
	chunk = malloc(sizeof(*chunk) + room);
	if (!chunk) {
		arena->bytes -= room;
		errno = ENOMEM;
		return NULL;
	}
	chunk->before = arena->last;
	chunk->room = room;
	chunk->used = 0;
	arena->last = chunk;
	return chunk;
}

void *arena_get(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = arena->last;
	void *memory;

	if (size > SIZE_MAX / 2) {
		errno = ENOMEM;
		return NULL;
	}
	size = whole_pieces(size);
	if (!chunk || chunk->room - chunk->used < size)
		chunk = add_chunk(arena, size);
	if (!chunk)
		return NULL;
	memory = chunk->memory + chunk->used;
	chunk->used += size;
	return memory;
}

/* The chunk may move, because it holds only the piece that is resized. */
static void *resize_chunk(struct arena *arena, struct arena_chunk *chunk, size_t size)
{
	size_t more = size - chunk->room;

	if (!count_bytes(arena, more))
		return NULL;
	chunk = realloc(chunk, sizeof(*chunk) + size);
	if (!chunk) {
		arena->bytes -= more;
		errno = ENOMEM;
		return NULL;
	}
	chunk->room = chunk->used = size;
	arena->last = chunk;
	return chunk->memory;
}

void *arena_resize(struct arena *arena, void *memory, size_t had, size_t size)
{
	struct arena_chunk *chunk = arena->last;
	size_t before = whole_pieces(had), after = whole_pieces(size);
	bool is_last = memory && (char *)memory + before == chunk->memory + chunk->used;
	void *moved;

	if (size > SIZE_MAX / 2) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_last && after <= chunk->room - chunk->used + before) {
		chunk->used += after - before;
		return memory;
	}
	if (after <= before && memory)
		return memory;
	if (is_last && memory == chunk->memory)
		return resize_chunk(arena, chunk, after);
	moved = arena_get(arena, size);
	if (moved && had)
		memcpy(moved, memory, had);
	return moved;
}

void arena_free(struct arena *arena)
{
	struct arena_chunk *before;

	for (struct arena_chunk *chunk = arena->last; chunk; chunk = before) {
		before = chunk->before;
		free(chunk);
	}
	arena->last = NULL;
	arena->bytes = 0;
}
