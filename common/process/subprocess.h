/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program for its output, with limits of time and length. */
#ifndef STINT_SUBPROCESS_H
#define STINT_SUBPROCESS_H

#include <stddef.h>

#include "common/error.h"

/*
 * Runs @argv[0] and reads its output. Without '/', @argv[0] is searched along PATH.
 *
 * @wait_ms: after this many milliseconds the program is killed
 * @max: most bytes of output
 * @len: set to the number of bytes; may be NULL
 *
 * Returns the output and a NUL, which the caller frees; NULL with @err set.
 * For an exit code other than 0, @err is the first line on standard error.
 */
char *subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len, struct error *err);

/*
 * Like subprocess_output(), but the program reads @input from standard input.
 * Use this for texts that not everyone may see: every user of the machine can read a program's arguments.
 */
char *subprocess_answer(const char *const argv[], const char *input, unsigned int wait_ms, size_t max, size_t *len,
			struct error *err);

#endif
