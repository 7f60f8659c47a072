/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes text a gzip file in base64, which fits into a Slurm comment or an HTML page. */
#ifndef STINT_GZIP64_H
#define STINT_GZIP64_H

#include <stddef.h>

extern const char gzip64_digits[]; /* all characters of the encoding except the '=' at its end */

/*
 * Returns the @length bytes of @text, compressed and encoded. The caller must free the result. Returns NULL if out of
 * memory.
 *
 * @level: how well to compress, as in zlib, from 1 (fast) to 9 (small)
 */
char *gzip64(const char *text, size_t length, int level);

#endif
