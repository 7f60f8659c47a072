/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times for which Slurm's accounting, when asked, did not tell which jobs of a cluster ended in them. It is not known whether
 * those jobs left a record.
 */
#ifndef STINT_UNTOLD_H
#define STINT_UNTOLD_H

#include <stddef.h>
#include <stdint.h>

#define UNTOLD_MOST 100 /* if there are more, they are joined to fewer and longer ones */
#define UNTOLD_TEXT (UNTOLD_MOST * 48)

/* Starts as all zero. The spans are in order, and none touches another. */
struct untold {
	struct untold_span {
		int64_t from_s, until_s; /* since 1970 */
	} list[UNTOLD_MOST + 2]; /* extra room while a span is added */
	size_t count;
};

/* Adds the span from @from_s to @until_s - 1. */
void untold_add(struct untold *untold, int64_t from_s, int64_t until_s);

/* Removes the span from @from_s to @until_s - 1: Slurm has told about it since, or it no longer matters. */
void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s);

/* Returns how many seconds from @from_s to @until_s - 1 were not told. */
int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s);

/* Write the spans as text, "1762000000-1762000060 ...", and read that text. */
void untold_write(const struct untold *untold, char text[UNTOLD_TEXT]);
void untold_read(struct untold *untold, const char *text);

#endif
