/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses text with gzip and base64, for a Slurm comment or an HTML page. */
#ifndef STINT_GZIP64_H
#define STINT_GZIP64_H

#include <stddef.h>

extern const char gzip64_digits[]; /* base64's characters except '=' */

/*
 * Returns the @length bytes of @text, compressed and encoded, which the caller must free.
 * NULL if out of memory.
 *
 * @level: zlib's compression level, from 1 (fast) to 9 (small)
 */
char *gzip64(const char *text, size_t length, int level);

#endif
