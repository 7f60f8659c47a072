/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Untold times of a cluster: spans for which Slurm's accounting did not say which jobs ended. */
#ifndef STINT_UNTOLD_H
#define STINT_UNTOLD_H

#include <stddef.h>
#include <stdint.h>

#define UNTOLD_MOST 100 /* if there are more spans, the nearest spans are joined */
#define UNTOLD_TEXT (UNTOLD_MOST * 48)

/* Initialize to all zero. Sorted; spans do not touch. */
struct untold {
	struct untold_span {
		int64_t from_s, until_s; /* seconds since 1970 */
	} list[UNTOLD_MOST + 2]; /* while a span is added, there may be two more */
	size_t count;
};

/* Adds the seconds from @from_s to @until_s - 1. */
void untold_add(struct untold *untold, int64_t from_s, int64_t until_s);

/* Removes the seconds from @from_s to @until_s - 1: Slurm has answered for these seconds, or they no longer matter. */
void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s);

/* Returns how many seconds from @from_s to @until_s - 1 are untold. */
int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s);

/* As text: "1762000000-1762000060 ...". */
void untold_write(const struct untold *untold, char text[UNTOLD_TEXT]);
void untold_read(struct untold *untold, const char *text);

#endif
