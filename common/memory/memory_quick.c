/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/memory_quick.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "common/memory/memory_limit.h"

#define CHUNK ((size_t)1 << 20)
#define CHUNKS 128
#define LARGEST (CHUNK / 8) /* larger blocks are the C library's */
#define STEP 16 /* alignment of blocks, as of malloc() */

/*
 * The header of a chunk. Blocks follow it: a size, and then memory aligned to 16 bytes.
 *
 * Only one thread, the owner, makes blocks in a chunk. The owner counts these blocks in mine.live, without atomics.
 * When the owner leaves the chunk, it adds mine.live to live. Until then, live may be negative.
 */
struct chunk {
	int64_t live;
	struct chunk *next;
};

static unsigned char *region;
static struct chunk *free_list;
static size_t chunks_made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct {
	bool on;
	struct chunk *chunk; /* that this thread owns; NULL: none */
	size_t used;
	int64_t live;
} mine;

#define FIRST (((sizeof(struct chunk) + STEP - 1) & ~(size_t)(STEP - 1)) + STEP - sizeof(size_t))

static struct chunk *chunk_of(const void *memory)
{
	return (struct chunk *)(region + (((uintptr_t)memory - (uintptr_t)region) & ~(CHUNK - 1)));
}

bool memory_quick_has(const void *memory)
{
	return region && (uintptr_t)memory - (uintptr_t)region < CHUNKS * CHUNK;
}

size_t memory_quick_size(const void *memory)
{
	size_t size;

	memcpy(&size, (const char *)memory - sizeof(size), sizeof(size));
	return size - sizeof(size);
}

static void make_region(void)
{
	void *memory = mmap(NULL, CHUNKS * CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			    -1, 0);

	__atomic_store_n(&region, memory == MAP_FAILED ? NULL : memory, __ATOMIC_RELEASE);
}

static void take_chunk(void)
{
	pthread_mutex_lock(&lock);
	if (!region)
		make_region();
	mine.chunk = free_list;
	if (free_list)
		free_list = free_list->next;
	else if (region && chunks_made < CHUNKS)
		mine.chunk = (struct chunk *)(region + CHUNK * chunks_made++);
	pthread_mutex_unlock(&lock);
	mine.used = FIRST;
	mine.live = 0;
	if (mine.chunk)
		mine.chunk->live = 0;
}

static void put_back(struct chunk *chunk)
{
	pthread_mutex_lock(&lock);
	chunk->next = free_list;
	free_list = chunk;
	pthread_mutex_unlock(&lock);
}

/* From now on, all threads subtract from chunk->live. */
static void leave_chunk(void)
{
	struct chunk *chunk = mine.chunk;
	int64_t live = mine.live;

	mine.chunk = NULL;
	mine.live = 0;
	if (chunk && __atomic_add_fetch(&chunk->live, live, __ATOMIC_ACQ_REL) == 0)
		put_back(chunk);
}

void *memory_quick_get(size_t size)
{
	size_t whole = (size + sizeof(size) + STEP - 1) & ~(size_t)(STEP - 1);
	char *block;

	if (!mine.on || size > LARGEST)
		return NULL;
	if (!mine.chunk || mine.used + whole > CHUNK) {
		leave_chunk();
		take_chunk();
		if (!mine.chunk)
			return NULL;
	}
	block = (char *)mine.chunk + mine.used;
	mine.used += whole;
	mine.live++;
	memcpy(block, &whole, sizeof(whole));
	return block + sizeof(whole);
}

void memory_quick_free(void *memory)
{
	struct chunk *chunk = chunk_of(memory);
	int64_t none = 0;

	if (chunk == mine.chunk) {
		mine.live--;
		return;
	}
	/* The count cannot become zero while the chunk has an owner. */
	none = __atomic_sub_fetch(&chunk->live, 1, __ATOMIC_ACQ_REL);
	if (none == 0)
		put_back(chunk);
}

void memory_quick(bool on)
{
#ifdef MEMORY_SANITIZED
	(void)on;
#else
	mine.on = on;
#endif
	if (mine.chunk && mine.live + __atomic_load_n(&mine.chunk->live, __ATOMIC_ACQUIRE) == 0) {
		mine.chunk->live = 0;
		mine.used = FIRST;
		mine.live = 0;
	}
}

void memory_quick_end(void)
{
	mine.on = false;
	leave_chunk();
}
