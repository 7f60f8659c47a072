/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error contract of the whole tree: a function that can fail takes a struct error as its last parameter and returns
 * -1 (or NULL) on failure.
 */
#ifndef STINT_ERROR_H
#define STINT_ERROR_H

struct error {
	char text[512]; /* one line, no newline, for a person */
};

/* Fills @err (may be NULL) and returns -1. Leaves errno unchanged. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), with ": " and strerror(errno) after the text. */
int error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
