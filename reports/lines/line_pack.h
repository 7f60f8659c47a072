/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs store lines for the database, with dictionaries of what most lines have in common. */
#ifndef STINT_LINE_PACK_H
#define STINT_LINE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct line_packer;

/* Creates a packer. Only one thread at a time may use it. Returns NULL if out of memory. */
struct line_packer *line_packer_new(void);
void line_packer_free(struct line_packer *packer);

/* The key of a job in its cluster. */
struct line_owner {
	int64_t job_id, attempt, submit;
};

/* A line as line_split() splits it: the text, the codes, and the bits. */
struct line_split {
	size_t text_size, code_size, bits_size;
	unsigned char bytes[];
};

/*
 * Splits @text for lines_pack(). The caller must free the result. NULL if out of memory, or if @text has more than
 * STORE_LINE_MAX bytes.
 */
struct line_split *line_pack_split(struct line_packer *packer, const char *text, size_t length);

struct line_of {
	struct line_owner owner;
	const struct line_split *split;
};

/* Returns the packed bytes, which the caller must free; NULL if out of memory. @size: set to the number of bytes */
void *lines_pack(struct line_packer *packer, const struct line_of *lines, size_t count, size_t *size);

typedef bool lines_wanted(void *context, const struct line_owner *owner);

/*
 * Receives a line with a NUL at its end. The text is valid only during the call. Returns 0; -1 with @err set to stop.
 */
typedef int lines_each(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err);

struct lines_reading {
	lines_wanted *wanted; /* NULL: all are wanted */
	lines_each *each;
	void *context;
};

/*
 * Unpacks lines in the order in which they were packed. If one line is wanted, passes all lines to @each.
 *
 * Returns 0; -1 with @err set if @packed is damaged or has an unknown form, or if out of memory.
 */
int lines_unpack(struct line_packer *packer, const void *packed, size_t size, const struct lines_reading *reading,
		 struct error *err);

#endif
