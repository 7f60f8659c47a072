/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a store line into text, codes and bits. The text has a mark in place of each number. The codes have one or two
 * bytes for each mark. The bits are the digits.
 *
 * Texts and codes of different lines are similar, so a dictionary makes them shorter. The bits cannot be compressed.
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

/* Returns false if @line has more than STORE_LINE_MAX bytes. */
bool line_split(const char *line, size_t length, struct line_parts *parts);

/*
 * Joins the parts to the line. Returns its length; -1 if @parts cannot come from a line.
 *
 * @line: has STORE_LINE_MAX bytes
 */
long line_join(const struct line_parts *parts, char *line);

#endif
