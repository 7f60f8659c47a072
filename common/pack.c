/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pack.h"

#include <stdint.h>
#include <string.h>

#define RUN_MAX UINT16_MAX

/* The head of a sequence: a number of zeros, and the number of bytes that follow. */
struct run {
	uint16_t zeros;
	uint16_t bytes;
};

size_t pack_room(size_t size)
{
	return size + (size / RUN_MAX + 1) * sizeof(struct run);
}

static size_t count_zeros(const unsigned char *at, size_t left)
{
	size_t zeros = 0;

	while (zeros < left && zeros < RUN_MAX && !at[zeros])
		zeros++;
	return zeros;
}

/* Counts bytes up to the next zeros. A few zeros count as bytes, because a new head would need more room. */
static size_t count_bytes(const unsigned char *at, size_t left)
{
	size_t bytes = 0;

	while (bytes < left && bytes < RUN_MAX &&
	       (at[bytes] || count_zeros(at + bytes, left - bytes) <= sizeof(struct run)))
		bytes++;
	return bytes;
}

size_t pack(const void *data, size_t size, void *out)
{
	const unsigned char *at = data;
	unsigned char *to = out;

	while (size) {
		size_t zeros = count_zeros(at, size), bytes = count_bytes(at + zeros, size - zeros);
		struct run run = { (uint16_t)zeros, (uint16_t)bytes };

		memcpy(to, &run, sizeof(run));
		memcpy(to + sizeof(run), at + zeros, bytes);
		to += sizeof(run) + bytes;
		at += zeros + bytes;
		size -= zeros + bytes;
	}
	return to - (unsigned char *)out;
}

ssize_t unpack(const void *packed, size_t length, void *out, size_t room)
{
	const unsigned char *at = packed;
	unsigned char *to = out;
	struct run run;

	for (; length; at += run.bytes, length -= run.bytes) {
		if (length < sizeof(run))
			return -1;
		memcpy(&run, at, sizeof(run));
		at += sizeof(run);
		length -= sizeof(run);
		if (run.bytes > length || (size_t)run.zeros + run.bytes > room)
			return -1;
		memset(to, 0, run.zeros);
		memcpy(to + run.zeros, at, run.bytes);
		to += run.zeros + run.bytes;
		room -= run.zeros + run.bytes;
	}
	return to - (unsigned char *)out;
}
