/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of whole numbers as JSON: [[12,5,null],[13,1,7]]. A job's row stores its tools and nodes so. Every engine can
 * take such a text apart, so a site's own SQL can use them (docs/store.md).
 *
 * Scanning is done here and not by json-c, because a summary reads the lists of millions of jobs.
 */
#ifndef STINT_NUMBER_LISTS_H
#define STINT_NUMBER_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_LISTS_NULL INT64_MIN /* null in a list; no number has this value */

/* Returns the size of the largest text that number_lists_put() makes, without a NUL at its end. */
size_t number_lists_room(size_t lists, size_t numbers);

/*
 * Writes @lists lists of @numbers numbers each. NUMBER_LISTS_NULL is written as null. Leaves out the nulls at the end
 * of each list, but never its first two values. Returns how many bytes were written.
 *
 * @to: must have number_lists_room() bytes
 */
size_t number_lists_put(char *to, const int64_t *values, size_t lists, size_t numbers);

/* A text that is being read. Initialize with number_lists_begin(). */
struct number_lists {
	const char *at, *end;
	bool first;
	bool damaged;
};

struct number_lists number_lists_begin(const void *text, size_t size);

/* Returns how many lists the text has. */
size_t number_lists_count(const void *text, size_t size);

/*
 * Reads the next list. Numbers that the list lacks are NUMBER_LISTS_NULL. Returns true; false after the last list, or
 * with lists->damaged set if the text is not of this form.
 */
bool number_lists_next(struct number_lists *lists, int64_t *values, size_t numbers);

#endif
