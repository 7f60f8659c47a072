/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Box plots: the spread of a number over jobs. Each kind of jobs has one row, and all rows share one axis. */
#ifndef STINT_BOXES_H
#define STINT_BOXES_H

#include <stddef.h>
#include <stdio.h>

#define HTML_BOX_OUTLIERS 24
#define HTML_BOX_TEXT 48

/*
 * Tukey's box plots: the whiskers reach to the furthest values within 1.5 times the box's length; values beyond them
 * are dots.
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
 * Fills @box from the @count @values, and sorts these. Values that are NAN are left out. Sets all members but the
 * label.
 */
void html_box_fill(struct html_box *box, double *values, size_t count);

/*
 * Prints @boxes one below the other, on an axis from 0 to the largest value.
 *
 * @title: the picture's title, unescaped
 * @text: writes a value for people, and returns the text
 */
void html_boxes(FILE *out, const char *title, const struct html_box *boxes, size_t count,
		const char *(*text)(double value, char text[HTML_BOX_TEXT]));

#endif
