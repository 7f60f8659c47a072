/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a store line into three parts. The first is its text, with a mark in place of each number. The second is one
 * or two codes for each mark. The third is the digits of the numbers, as bits.
 *
 * Lines have most of the first two parts in common, so a dictionary matches long pieces of these. The third part has
 * no redundancy left.
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
 * Joins the parts to a line again.
 *
 * @line: filled with the line, at most STORE_LINE_MAX bytes
 *
 * Returns its length in bytes; -1 if the parts are not those of a line.
 */
long line_join(const struct line_parts *parts, char *line);

#endif
