/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores the untold times of a cluster. For these times, Slurm's accounting was asked which jobs ended, but did not
 * tell. So stint does not know whether those jobs left a record.
 */
#ifndef STINT_UNTOLD_H
#define STINT_UNTOLD_H

#include <stddef.h>
#include <stdint.h>

#define UNTOLD_MOST 100 /* further spans are joined with others, which makes fewer and longer ones */
#define UNTOLD_TEXT (UNTOLD_MOST * 48)

/* Initialize to all zero. The spans are sorted, and no span touches another. */
struct untold {
	struct untold_span {
		int64_t from_s, until_s; /* since 1970 */
	} list[UNTOLD_MOST + 2]; /* two more than the maximum, while a span is added */
	size_t count;
};

/* Adds the span from @from_s to @until_s - 1. */
void untold_add(struct untold *untold, int64_t from_s, int64_t until_s);

/*
 * Removes the span from @from_s to @until_s - 1, because Slurm has told about it since, or because it no longer
 * matters.
 */
void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s);

/* Returns how many seconds from @from_s to @until_s - 1 are untold. */
int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s);

/* Write the spans as text, "1762000000-1762000060 ...", or read such a text. */
void untold_write(const struct untold *untold, char text[UNTOLD_TEXT]);
void untold_read(struct untold *untold, const char *text);

#endif
