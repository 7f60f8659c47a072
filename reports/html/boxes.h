/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Box plots: how a number is spread over the jobs of each of several kinds, one row a kind, all on one axis. */
#ifndef STINT_BOXES_H
#define STINT_BOXES_H

#include <stddef.h>
#include <stdio.h>

#define HTML_BOX_OUTLIERS 24
#define HTML_BOX_TEXT 48

/*
 * As Tukey drew them: the whiskers reach the furthest values within 1.5 of the box's length; what is beyond is a dot.
 */
struct html_box {
	const char *label; /* unescaped */
	size_t count;      /* values; 0: nothing is known */
	double low, lower, median, upper, high; /* whiskers and quartiles */
	double least, most;
	double outliers[HTML_BOX_OUTLIERS]; /* the furthest */
	size_t outliers_count;
};

/*
 * Fills @box of the @count @values, which are sorted here; those that are NAN are left out. Sets all but the label.
 */
void html_box_fill(struct html_box *box, double *values, size_t count);

/*
 * Prints @boxes below each other, from 0 to the largest value.
 *
 * @title: of the picture, unescaped
 * @text: writes a value for people, and returns the text
 */
void html_boxes(FILE *out, const char *title, const struct html_box *boxes, size_t count,
		const char *(*text)(double value, char text[HTML_BOX_TEXT]));

#endif
