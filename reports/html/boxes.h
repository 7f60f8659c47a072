/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints box plots: one row for each kind of jobs, on one axis. */
#ifndef STINT_BOXES_H
#define STINT_BOXES_H

#include <stddef.h>
#include <stdio.h>

#define HTML_BOX_OUTLIERS 24
#define HTML_BOX_TEXT 48

/*
 * One box by Tukey's rules.
 * Whiskers reach to the furthest values within 1.5 times the box's length.
 * Values beyond the whiskers are dots.
 */
struct html_box {
	const char *label; /* unescaped */
	size_t count;      /* 0 if nothing is known */
	double low, lower, median, upper, high;
	double least, most;
	double outliers[HTML_BOX_OUTLIERS]; /* the furthest */
	size_t outliers_count;
};

/*
 * Fills @box, except the label, from @count @values.
 * Sorts @values. Leaves out NAN.
 */
void html_box_fill(struct html_box *box, double *values, size_t count);

/*
 * Prints @boxes one below the other, on an axis from 0 to the largest value.
 *
 * @title: unescaped
 * @text: writes a value for people into @text, and returns it
 */
void html_boxes(FILE *out, const char *title, const struct html_box *boxes, size_t count,
		const char *(*text)(double value, char text[HTML_BOX_TEXT]));

#endif
