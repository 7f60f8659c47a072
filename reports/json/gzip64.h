/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses text with gzip and encodes it in base64, so that it fits into a Slurm comment or an HTML page. */
#ifndef STINT_GZIP64_H
#define STINT_GZIP64_H

#include <stddef.h>

extern const char gzip64_digits[]; /* all characters of base64, without the '=' that may end the text */

/*
 * Returns the @length bytes of @text, compressed and encoded. The caller frees the result. Returns NULL if out of
 * memory.
 *
 * @level: zlib's compression level, from 1 (fast) to 9 (small)
 */
char *gzip64(const char *text, size_t length, int level);

#endif
