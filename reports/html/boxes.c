/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/boxes.h"

#include <math.h>
#include <stdlib.h>

#include "reports/html/html_internal.h"

#define WIDTH 1000.0 /* in units of the SVG picture, which browsers stretch to the page */
#define REACH 1.5

static int compare(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

/* Interpolates between the neighbours of the quantile. @part: from 0 to 1 */
static double quantile(const double *values, size_t count, double part)
{
	double place = part * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return values[count - 1];
	return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

static void add_outlier(struct html_box *box, double value)
{
	if (box->outliers_count < HTML_BOX_OUTLIERS)
		box->outliers[box->outliers_count++] = value;
}

/* Adds the furthest outliers first, in turns from above and from below, because @box has room for only a few. */
static void fill_outliers(struct html_box *box, const double *values, size_t count)
{
	double reach = REACH * (box->upper - box->lower);
	size_t first = 0, last = count - 1;

	while (values[first] < box->lower - reach)
		first++;
	while (values[last] > box->upper + reach)
		last--;
	box->low = values[first];
	box->high = values[last];
	for (size_t i = 0; i < first || i < count - 1 - last; i++) {
		if (i < count - 1 - last)
			add_outlier(box, values[count - 1 - i]);
		if (i < first)
			add_outlier(box, values[i]);
	}
}

void html_box_fill(struct html_box *box, double *values, size_t count)
{
	size_t known = 0;

	*box = (struct html_box){ .label = box->label };
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[known++] = values[i];
	box->count = known;
	if (known == 0)
		return;
	qsort(values, known, sizeof(*values), compare);
	box->least = values[0];
	box->most = values[known - 1];
	box->lower = quantile(values, known, 0.25);
	box->median = quantile(values, known, 0.5);
	box->upper = quantile(values, known, 0.75);
	fill_outliers(box, values, known);
}

/* ---- the picture ---- */

static double x_of(double value, double most)
{
	double part = most > 0 ? value / most : 0;

	return WIDTH * (part > 1 ? 1 : part > 0 ? part : 0);
}

static void put_plot(FILE *out, const struct html_box *box, double most)
{
	double low = x_of(box->low, most), lower = x_of(box->lower, most), upper = x_of(box->upper, most);
	double middle = x_of(box->median, most), high = x_of(box->high, most);

	fprintf(out,
		"<svg class=\"box\" viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<path class=\"whisker\" d=\"M%.1f 10H%.1fM%.1f 10H%.1fM%.1f 5v10M%.1f 5v10\"/>"
		"<rect class=\"body\" x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"14\"/><path class=\"median\" d=\"M%.1f 2v16\"/>",
		low, lower, upper, high, low, high, lower, upper - lower > 1 ? upper - lower : 1, middle);
	for (size_t i = 0; i < box->outliers_count; i++)
		fprintf(out, "<path class=\"outlier\" d=\"M%.1f 10h0\"/>", x_of(box->outliers[i], most));
	fputs("</svg>", out);
}

static void put_row(FILE *out, const struct html_box *box, double most,
		    const char *(*text)(double value, char text[HTML_BOX_TEXT]))
{
	char least[HTML_BOX_TEXT], middle[HTML_BOX_TEXT], largest[HTML_BOX_TEXT];

	fputs("<tr><th scope=\"row\">", out);
	html_text(out, box->label);
	fprintf(out, "</th><td class=\"n\">%zu</td><td class=\"plot-cell\">", box->count);
	if (box->count == 0) {
		fputs("</td><td class=\"n unknown\">-</td><td class=\"n unknown\">-</td></tr>\n", out);
		return;
	}
	put_plot(out, box, most);
	fputs("</td><td class=\"n\"><b>", out);
	html_text(out, text(box->median, middle));
	fputs("</b></td><td class=\"n\">", out);
	html_textf(out, "%s to %s", text(box->least, least), text(box->most, largest));
	fputs("</td></tr>\n", out);
}

static void put_axis(FILE *out, double most, const char *(*text)(double value, char text[HTML_BOX_TEXT]))
{
	char end[HTML_BOX_TEXT], middle[HTML_BOX_TEXT];

	fputs("<tfoot><tr><td></td><td></td><td class=\"plot-cell\"><div class=\"axis\"><span>0</span><span>", out);
	html_text(out, text(most / 2, middle));
	fputs("</span><span>", out);
	html_text(out, text(most, end));
	fputs("</span></div></td><td></td><td></td></tr></tfoot>\n", out);
}

void html_boxes(FILE *out, const char *title, const struct html_box *boxes, size_t count,
		const char *(*text)(double value, char text[HTML_BOX_TEXT]))
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = boxes[i].count ? fmax(most, boxes[i].most) : most;
	fputs("<figure class=\"boxes\"><figcaption>", out);
	html_text(out, title);
	fputs("</figcaption><table class=\"plain-table\"><thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"n\">Jobs</th>"
	      "<th scope=\"col\"></th><th scope=\"col\" class=\"n\">Median</th><th scope=\"col\" class=\"n\">Least to most</th>"
	      "</tr></thead>\n", out);
	put_axis(out, most, text);
	fputs("<tbody>\n", out);
	for (size_t i = 0; i < count; i++)
		put_row(out, &boxes[i], most, text);
	fputs("</tbody></table></figure>\n", out);
}
