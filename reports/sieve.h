/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking a few values out of long JSON text before it is parsed: of ten thousand reports a table needs some
 * numbers each, and json-c makes objects of everything.
 */
#ifndef STINT_SIEVE_H
#define STINT_SIEVE_H

#include <stddef.h>

/* A member that is kept; a list of them ends with one without a name. */
struct sieve_key {
	const char *name;
	const struct sieve_key *inside; /* of an object, or of a list's objects, what is kept; NULL: all of it */
};

/*
 * Returns the object @text with none but the members @keys, as JSON text to be freed.
 *
 * @stop: nothing behind this member of the outermost object is looked at
 * @out_len: of what is returned, which has a NUL behind it
 *
 * Returns NULL when memory is short, or the text ends or is no JSON before @stop. What is left out is not looked into:
 * that the rest is JSON is for the parser to say.
 */
char *sieve(const char *text, size_t len, const struct sieve_key *keys, const char *stop, size_t *out_len);

/*
 * Returns the object @text without its members @names, which NULL ends; else as sieve().
 */
char *sieve_without(const char *text, size_t len, const char *const *names, size_t *out_len);

#endif
