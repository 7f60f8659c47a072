/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs store lines for the database: compresses them by what all lines have in common. */
#ifndef STINT_LINE_PACK_H
#define STINT_LINE_PACK_H

#include <stddef.h>

#include "common/error.h"

struct line_packer;

/* Makes a packer, for one thread. Returns NULL if out of memory. */
struct line_packer *line_packer_new(void);
void line_packer_free(struct line_packer *packer);

/* Returns @text packed, to be freed; NULL if out of memory, or if @text is longer than STORE_LINE_MAX. */
void *line_pack(struct line_packer *packer, const char *text, size_t length, size_t *size);

/* Returns the text, with a NUL after it, to be freed; NULL with @err set. */
char *line_unpack(struct line_packer *packer, const void *packed, size_t size, size_t *length, struct error *err);

#endif
