/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts how often each word occurs among several jobs: states, verdicts or findings. */
#ifndef STINT_WORD_COUNTS_H
#define STINT_WORD_COUNTS_H

#include <stddef.h>

#include "reports/read/summary.h"

#define WORD_COUNTS_MAX 16 /* further words count as "others" */

struct word_counts {
	const char *words[WORD_COUNTS_MAX]; /* borrowed, in the order of their first occurrence */
	size_t lengths[WORD_COUNTS_MAX], counts[WORD_COUNTS_MAX], used;
	size_t others;
};

void word_counts_add(struct word_counts *counts, const char *word, size_t length, size_t times);

/* Adds the state of each job. @unknown: the word for an unknown state. */
void word_counts_add_states(struct word_counts *counts, const struct summary *rows, size_t count, const char *unknown);

#endif
