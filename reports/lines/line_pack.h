/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs store lines for the database. Lines become much shorter because dictionaries contain what most lines have
 * in common.
 */
#ifndef STINT_LINE_PACK_H
#define STINT_LINE_PACK_H

#include <stddef.h>

#include "common/error.h"

struct line_packer;

/* Creates a packer. Only one thread at a time may use it. Returns NULL if out of memory. */
struct line_packer *line_packer_new(void);
void line_packer_free(struct line_packer *packer);

/*
 * Packs @text. Returns the packed bytes, which the caller must free. Returns NULL if out of memory, or if @text is
 * longer than STORE_LINE_MAX.
 *
 * @size: set to the packed size in bytes
 */
void *line_pack(struct line_packer *packer, const char *text, size_t length, size_t *size);

/*
 * Returns the text that was packed, with a NUL at its end. The caller must free it. Returns NULL with @err set if
 * @packed is damaged or has an unknown form, or if out of memory.
 *
 * @length: set to the number of bytes without the NUL
 */
char *line_unpack(struct line_packer *packer, const void *packed, size_t size, size_t *length, struct error *err);

#endif
