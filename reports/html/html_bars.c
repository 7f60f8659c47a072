/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints bars that show how much of its allocation the job used. */
#include "reports/html/html_internal.h"
#include "reports/wording/job_bars.h"

static void print_bar(FILE *out, const struct job_bar *bar)
{
	fprintf(out, "<div class=\"gauge\"><dt>%s</dt><dd><span class=\"share-of\"><b>%.0f %%</b> of ", bar->label,
		100 * bar->share);
	html_text(out, bar->of);
	fputs("</span>", out);
	html_gauge(out, bar->share, bar->more, bar->style);
	fputs("</dd></div>\n", out);
}

void html_bars(const struct report *report, FILE *out)
{
	struct job_bar bars[JOB_BARS];
	size_t count = job_bars(report, bars);

	if (count == 0)
		return;
	fputs("<dl class=\"gauges\" aria-label=\"Used of what was allocated\">\n", out);
	for (size_t i = 0; i < count; i++)
		print_bar(out, &bars[i]);
	fputs("</dl>\n", out);
}
