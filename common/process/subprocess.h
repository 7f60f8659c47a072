/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program and returns its output. Limits the program's time and the output's length. */
#ifndef STINT_SUBPROCESS_H
#define STINT_SUBPROCESS_H

#include <stddef.h>

#include "common/error.h"

/*
 * Runs the program @argv[0], and reads its output. If @argv[0] has no '/', it is searched along PATH.
 *
 * @wait_ms: how many milliseconds the program may take; after that it is killed
 * @max: the most bytes that the program may print
 * @len: set to the number of bytes printed; may be NULL
 *
 * Returns the output with a NUL after it, which the caller frees; NULL with @err set. If the program's exit code is
 * not 0, @err is the first line that the program wrote to standard error.
 */
char *subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len, struct error *err);

/*
 * Like subprocess_output(), but the program reads @input from its standard input. @input is not passed as an
 * argument, because every user of the machine can read a program's arguments.
 */
char *subprocess_answer(const char *const argv[], const char *input, unsigned int wait_ms, size_t max, size_t *len,
			struct error *err);

#endif
