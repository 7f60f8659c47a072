/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs store lines for the database. The packing makes use of what all lines have in common. */
#ifndef STINT_LINE_PACK_H
#define STINT_LINE_PACK_H

#include <stddef.h>

#include "common/error.h"

struct line_packer;

/* Makes a packer, which only one thread may use. Returns NULL if out of memory. */
struct line_packer *line_packer_new(void);
void line_packer_free(struct line_packer *packer);

/*
 * Returns @text packed, which the caller must free. NULL if out of memory, or if @text is longer than STORE_LINE_MAX.
 *
 * @size: set to the packed size in bytes
 */
void *line_pack(struct line_packer *packer, const char *text, size_t length, size_t *size);

/*
 * Returns the original text with a NUL at its end, which the caller must free; NULL with @err set.
 *
 * @length: set to the number of bytes without the NUL
 */
char *line_unpack(struct line_packer *packer, const void *packed, size_t size, size_t *length, struct error *err);

#endif
