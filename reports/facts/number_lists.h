/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes lists of whole numbers as JSON: [[12,5,null],[13,1,7]]. A job's row has its tools and nodes in
 * this form, because a site's own SQL can then use them: each engine can take such a text apart (docs/store.md).
 *
 * The text is read here and not with json-c, because a summary reads the lists of millions of jobs.
 */
#ifndef STINT_NUMBER_LISTS_H
#define STINT_NUMBER_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_LISTS_NULL INT64_MIN /* stands for null in a list; no number in a list has this value */

/* Returns how many bytes number_lists_put() needs at most. The text has no NUL at its end. */
size_t number_lists_room(size_t lists, size_t numbers);

/*
 * Writes @lists lists, each of @numbers numbers from @values. Writes NUMBER_LISTS_NULL as null. Leaves out nulls
 * at the end of a list, but always writes its first two values. Returns how many bytes it wrote.
 *
 * @to: must have number_lists_room() bytes
 */
size_t number_lists_put(char *to, const int64_t *values, size_t lists, size_t numbers);

/* The state of reading a text. Initialize it with number_lists_begin(). */
struct number_lists {
	const char *at, *end;
	bool first;
	bool damaged;
};

struct number_lists number_lists_begin(const void *text, size_t size);

/* Returns how many lists the text has. */
size_t number_lists_count(const void *text, size_t size);

/*
 * Reads the next list into @values. Sets numbers that the list does not have to NUMBER_LISTS_NULL. Returns false
 * after the last list. If the text has another form, sets lists->damaged and returns false.
 */
bool number_lists_next(struct number_lists *lists, int64_t *values, size_t numbers);

#endif
