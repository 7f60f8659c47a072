/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/number_lists.h"

#include <string.h>

#define NUMBER_TEXT 20 /* room for the digits of the largest number and for its sign */
#define KEPT 2

/* ---- writing ---- */

size_t number_lists_room(size_t lists, size_t numbers)
{
	return 2 + lists * (3 + numbers * (NUMBER_TEXT + 1));
}

static char *put_number(char *to, int64_t number)
{
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	char digits[NUMBER_TEXT];
	size_t count = 0;

	if (number == NUMBER_LISTS_NULL) {
		memcpy(to, "null", 4);
		return to + 4;
	}
	do
		digits[count++] = (char)('0' + left % 10);
	while (left /= 10);
	if (number < 0)
		*to++ = '-';
	while (count)
		*to++ = digits[--count];
	return to;
}

size_t number_lists_put(char *to, const int64_t *values, size_t lists, size_t numbers)
{
	char *at = to;

	*at++ = '[';
	for (size_t i = 0; i < lists; i++, values += numbers) {
		size_t count = numbers;

		while (count > KEPT && values[count - 1] == NUMBER_LISTS_NULL)
			count--;
		if (i)
			*at++ = ',';
		for (size_t k = 0; k < count; k++) {
			*at++ = k ? ',' : '[';
			at = put_number(at, values[k]);
		}
		*at++ = ']';
	}
	*at++ = ']';
	return (size_t)(at - to);
}

/* ---- reading ---- */

struct number_lists number_lists_begin(const void *text, size_t size)
{
	return (struct number_lists){ .at = text, .end = text ? (const char *)text + size : NULL, .first = true };
}

size_t number_lists_count(const void *text, size_t size)
{
	const char *at = text, *end = text ? at + size : NULL;
	size_t count = 0;

	for (; at < end; at++)
		count += *at == '[';
	return count ? count - 1 : 0;
}

static bool take(struct number_lists *lists, char wanted)
{
	if (lists->at < lists->end && *lists->at == wanted) {
		lists->at++;
		return true;
	}
	return false;
}

static bool fail(struct number_lists *lists)
{
	lists->damaged = true;
	return false;
}

/* Reads null, or a number that fits into 64 bits. */
static bool take_number(struct number_lists *lists, int64_t *value)
{
	bool negative = take(lists, '-'), any = false;
	uint64_t number = 0;

	if (!negative && lists->end - lists->at >= 4 && memcmp(lists->at, "null", 4) == 0) {
		lists->at += 4;
		*value = NUMBER_LISTS_NULL;
		return true;
	}
	for (; lists->at < lists->end && *lists->at >= '0' && *lists->at <= '9'; lists->at++) {
		uint64_t digit = (uint64_t)(*lists->at - '0');

		if (number > ((uint64_t)INT64_MAX - digit) / 10)
			return fail(lists);
		number = number * 10 + digit;
		any = true;
	}
	*value = negative ? -(int64_t)number : (int64_t)number;
	return any || fail(lists);
}

bool number_lists_next(struct number_lists *lists, int64_t *values, size_t numbers)
{
	if (lists->damaged || !lists->at)
		return false;
	if (lists->first ? !take(lists, '[') : take(lists, ']'))
		return lists->first || lists->at != lists->end ? fail(lists) : false;
	if (lists->first && take(lists, ']'))
		return lists->at == lists->end ? false : fail(lists);
	if (!lists->first && !take(lists, ','))
		return fail(lists);
	lists->first = false;
	for (size_t i = 0; i < numbers; i++)
		values[i] = NUMBER_LISTS_NULL;
	for (size_t i = 0; i < numbers; i++) {
		if (!take(lists, i ? ',' : '['))
			return i && take(lists, ']') ? true : fail(lists);
		if (!take_number(lists, &values[i]))
			return false;
	}
	return take(lists, ']') || fail(lists);
}
