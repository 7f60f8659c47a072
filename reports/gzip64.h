/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a gzip file in base64: what can stand in a comment of Slurm's, or in a page. */
#ifndef STINT_GZIP64_H
#define STINT_GZIP64_H

#include <stddef.h>

extern const char gzip64_digits[]; /* all that it is written with, but for '=' at its end */

/*
 * @level: of the compression, as zlib has them: 1 (fast) to 9 (small)
 *
 * Returns @length bytes of @text so, to be freed; NULL when memory is short.
 */
char *gzip64(const char *text, size_t length, int level);

#endif
