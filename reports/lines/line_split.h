/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a store line into three parts: text, codes and bits. The text is the line with a mark in place of each
 * number. The codes have one or two bytes for each mark. The bits are the digits of the numbers.
 *
 * Texts and codes of different lines are similar, so a dictionary matches long pieces of them. The bits have no
 * redundancy left.
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
 * Joins the parts to the original line.
 *
 * @line: filled with the line, at most STORE_LINE_MAX bytes
 *
 * Returns the length of the line in bytes; -1 if @parts cannot come from a line.
 */
long line_join(const struct line_parts *parts, char *line);

#endif
