/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes lists of whole numbers as JSON: [[12,5,null],[13,1,7]]. SQL of each engine can read this form.
 * json-c would be too slow for the millions of lists of a summary.
 */
#ifndef STINT_NUMBER_LISTS_H
#define STINT_NUMBER_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_LISTS_NULL INT64_MIN /* stands for null in a list; no number in a list has this value */

/* Returns the largest number of bytes that number_lists_put() needs. The text has no NUL. */
size_t number_lists_room(size_t lists, size_t numbers);

/*
 * Writes @lists lists of @numbers numbers from @values. NUMBER_LISTS_NULL becomes null. Leaves out nulls at the end of
 * a list, but always writes the first two numbers. Returns how many bytes it wrote.
 *
 * @to: has number_lists_room() bytes
 */
size_t number_lists_put(char *to, const int64_t *values, size_t lists, size_t numbers);

/* Initialize with number_lists_begin(). */
struct number_lists {
	const char *at, *end;
	bool first;
	bool damaged;
};

struct number_lists number_lists_begin(const void *text, size_t size);

/* Returns how many lists the text has. */
size_t number_lists_count(const void *text, size_t size);

/*
 * Reads the next list into @values. Missing numbers become NUMBER_LISTS_NULL. Returns false after the last list. Sets
 * lists->damaged if the text has another form.
 */
bool number_lists_next(struct number_lists *lists, int64_t *values, size_t numbers);

#endif
