/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the untold times of a cluster: spans of time for which stint asked Slurm's accounting which
 * jobs ended, but got no answer. So stint does not know whether all jobs of these times have a record.
 */
#ifndef STINT_UNTOLD_H
#define STINT_UNTOLD_H

#include <stddef.h>
#include <stdint.h>

#define UNTOLD_MOST 100 /* if there are more spans, those that are nearest to each other are joined */
#define UNTOLD_TEXT (UNTOLD_MOST * 48)

/* Initialize to all zero. The spans are sorted, and do not touch each other. */
struct untold {
	struct untold_span {
		int64_t from_s, until_s; /* since 1970 */
	} list[UNTOLD_MOST + 2]; /* two more than the maximum, because adding a span may need them for a moment */
	size_t count;
};

/* Adds the seconds from @from_s to @until_s - 1 to the untold times. */
void untold_add(struct untold *untold, int64_t from_s, int64_t until_s);

/*
 * Removes the seconds from @from_s to @until_s - 1 from the untold times, because Slurm has answered
 * for them since, or because they no longer matter.
 */
void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s);

/* Returns how many seconds from @from_s to @until_s - 1 are untold. */
int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s);

/* untold_write() writes the spans as text: "1762000000-1762000060 ...". untold_read() reads such a text. */
void untold_write(const struct untold *untold, char text[UNTOLD_TEXT]);
void untold_read(struct untold *untold, const char *text);

#endif
