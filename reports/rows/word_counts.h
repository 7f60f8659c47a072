/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts how often each word occurs among several jobs. The words are their states, verdicts or findings. */
#ifndef STINT_WORD_COUNTS_H
#define STINT_WORD_COUNTS_H

#include <stddef.h>

#include "reports/read/summary.h"

#define WORD_COUNTS_MAX 16 /* how many different words are counted separately; further words are counted as "others" */

struct word_counts {
	const char *words[WORD_COUNTS_MAX]; /* borrowed pointers, in the order of their first occurrence */
	size_t lengths[WORD_COUNTS_MAX], counts[WORD_COUNTS_MAX], used;
	size_t others;
};

/* Adds @times occurrences of @word, which has @length bytes. */
void word_counts_add(struct word_counts *counts, const char *word, size_t length, size_t times);

/* Adds the states of the jobs that @rows stand for. @unknown: the word for a state that is not known. */
void word_counts_add_states(struct word_counts *counts, const struct summary *rows, size_t count, const char *unknown);

#endif
