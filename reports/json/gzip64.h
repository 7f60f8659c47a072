/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a gzip file in base64, which fits into a Slurm comment or an HTML page. */
#ifndef STINT_GZIP64_H
#define STINT_GZIP64_H

#include <stddef.h>

extern const char gzip64_digits[]; /* all characters of the encoding except the '=' at its end */

/*
 * @level: how well to compress, as in zlib: 1 (fast) to 9 (small)
 *
 * Returns @length bytes of @text, compressed and encoded, to be freed; NULL if out of memory.
 */
char *gzip64(const char *text, size_t length, int level);

#endif
