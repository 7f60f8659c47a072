/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program for its output, with limits on its time and on the output's length. */
#ifndef STINT_SUBPROCESS_H
#define STINT_SUBPROCESS_H

#include <stddef.h>

#include "common/error.h"

/*
 * Runs @argv[0] (searched along PATH if it has no '/') and reads what it prints.
 *
 * @wait_ms: the longest it may take; then it is killed
 * @max: bytes it may print at most
 * @len: bytes printed; may be NULL
 *
 * Returns what it printed, with a NUL after it, which the caller frees; NULL with @err set. If its exit code is not 0, @err is
 * the first line that it wrote to its standard error.
 */
char *subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len, struct error *err);

/*
 * Like subprocess_output(), and the program reads @input from its standard input: every user of the machine can read
 * its arguments.
 */
char *subprocess_answer(const char *const argv[], const char *input, unsigned int wait_ms, size_t max, size_t *len,
			struct error *err);

#endif
