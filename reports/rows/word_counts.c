/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rows/word_counts.h"

#include <string.h>

#include "reports/rows/row_ending.h"

void word_counts_add(struct word_counts *counts, const char *word, size_t length, size_t times)
{
	for (size_t i = 0; i < counts->used; i++) {
		if (counts->lengths[i] == length && memcmp(counts->words[i], word, length) == 0) {
			counts->counts[i] += times;
			return;
		}
	}
	if (counts->used == WORD_COUNTS_MAX) {
		counts->others += times;
		return;
	}
	counts->words[counts->used] = word;
	counts->lengths[counts->used] = length;
	counts->counts[counts->used++] = times;
}

void word_counts_add_states(struct word_counts *counts, const struct summary *rows, size_t count, const char *unknown)
{
	for (size_t i = 0; i < count; i++) {
		const char *state = rows[i].state ? rows[i].state : unknown;

		word_counts_add(counts, state, strlen(state), (size_t)row_jobs(&rows[i]));
	}
}
