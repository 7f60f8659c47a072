/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one error contract of the tree: a function that can fail takes a
 * struct error as its last parameter and returns -1 (or NULL) when it did.
 */
#ifndef STINT_ERROR_H
#define STINT_ERROR_H

struct error {
	char text[512]; /* one line, no newline, for a person */
};

/*
 * Fills @err (may be NULL) and returns -1. errno is left as it was.
 */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * As error_set(), with ": " and strerror(errno) after the text.
 */
int error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
