/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_JOBS_SENTENCE_H
#define STINT_JOBS_SENTENCE_H

#include <stddef.h>

#include "reports/read/summary.h"

#define JOBS_SENTENCE_TEXT 256

/*
 * Writes one sentence on how @rows ended: "3 of 40 tasks failed, 2 run, 5 wait".
 * @noun: the word for one row: "task", "component", "job".
 * Returns how many failed.
 */
size_t jobs_sentence(const struct summary *rows, size_t count, const char *noun, char text[JOBS_SENTENCE_TEXT]);

#endif
