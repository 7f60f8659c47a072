/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times of which Slurm's accounting did not tell, when it was asked, which jobs of a cluster ended in them: of these
 * it is not known whether they left a record.
 */
#ifndef STINT_UNTOLD_H
#define STINT_UNTOLD_H

#include <stddef.h>
#include <stdint.h>

#define UNTOLD_MOST 100 /* more of them are told as fewer that are longer */
#define UNTOLD_TEXT (UNTOLD_MOST * 48)

/* Begins as all zero. In order, and none touches another. */
struct untold {
	struct untold_span {
		int64_t from_s, until_s; /* since 1970 */
	} list[UNTOLD_MOST + 2]; /* room while one is added */
	size_t count;
};

/* Adds @from_s to @until_s - 1. */
void untold_add(struct untold *untold, int64_t from_s, int64_t until_s);

/* Takes @from_s to @until_s - 1 out: it was told since, or is of no interest any more. */
void untold_cut(struct untold *untold, int64_t from_s, int64_t until_s);

/* Returns how many seconds of @from_s to @until_s - 1 were not told. */
int64_t untold_within(const struct untold *untold, int64_t from_s, int64_t until_s);

/* Writes them as text, "1762000000-1762000060 ...", and reads that. */
void untold_write(const struct untold *untold, char text[UNTOLD_TEXT]);
void untold_read(struct untold *untold, const char *text);

#endif
