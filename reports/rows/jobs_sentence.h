/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says in one sentence how several jobs ended. */
#ifndef STINT_JOBS_SENTENCE_H
#define STINT_JOBS_SENTENCE_H

#include <stddef.h>

#include "reports/read/summary.h"

#define JOBS_SENTENCE_TEXT 256

/*
 * Writes the most important facts about @rows to @text: "all 40 tasks completed", or "3 of 40 tasks failed, 2 run, 5
 * wait".
 *
 * @noun: the word for one of the rows: "task", "component", "job"
 *
 * Returns how many failed.
 */
size_t jobs_sentence(const struct summary *rows, size_t count, const char *noun, char text[JOBS_SENTENCE_TEXT]);

#endif
