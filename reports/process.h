/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running another program for what it prints, with bounds on its time and its words. */
#ifndef STINT_PROCESS_H
#define STINT_PROCESS_H

#include <stddef.h>

#include "collector/common/error.h"

/*
 * Runs @argv[0] (searched along PATH when it has no '/') and takes what it prints.
 *
 * @wait_ms: the longest it may take; then it is killed
 * @max: bytes it may print at most
 * @len: bytes printed; may be NULL
 *
 * Returns what it printed, with a NUL behind it, to be freed; NULL with @err
 * set, to the first line it wrote to its standard error when it exited with
 * another code than 0.
 */
char *process_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len, struct error *err);

#endif
