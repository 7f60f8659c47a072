/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a store line into three parts: its text with a mark for each number, one or two codes for each mark, and the numbers'
 * digits as bits. The first two parts have what lines have in common, so that a dictionary finds it in long pieces. The third is
 * as short as its digits are.
 */
#ifndef STINT_LINE_SPLIT_H
#define STINT_LINE_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/store/store_line.h"

struct line_parts {
	size_t text_size, code_size, bits_size;
	uint8_t text[STORE_LINE_MAX], codes[STORE_LINE_MAX], bits[STORE_LINE_MAX];
};

/* Splits @line of @length bytes. Returns false if it is longer than STORE_LINE_MAX. */
bool line_split(const char *line, size_t length, struct line_parts *parts);

/*
 * Puts the line together again.
 *
 * @line: set to the line, STORE_LINE_MAX bytes at most
 *
 * Returns its length; -1 if the parts are not those of a line.
 */
long line_join(const struct line_parts *parts, char *line);

#endif
