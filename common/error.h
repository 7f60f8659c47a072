/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports errors. A function that can fail has a struct error as its last parameter, and returns -1 or NULL. */
#ifndef STINT_ERROR_H
#define STINT_ERROR_H

struct error {
	char text[512]; /* one line for people, without a newline */
};

/* Writes the formatted text to @err, which may be NULL. Keeps errno. Returns -1. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), but appends ": " and strerror(errno). */
int error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
