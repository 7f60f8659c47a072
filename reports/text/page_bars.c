/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how much of its CPUs, memory, time and GPUs the job used, with bars on a terminal. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/text/page_internal.h"
#include "reports/wording/job_bars.h"
#include "reports/wording/job_fields.h"

#define BAR_FROM 40 /* column */
#define BAR_CELLS 20

static void print_bar(struct page *page, const struct job_bar *bar)
{
	char text[JOB_BAR_OF + 64];

	snprintf(text, sizeof(text), "%-8s%4.0f %% of %s", bar->label, 100 * bar->share, bar->of);
	if (!page->options->bars || strlen(text) + 2 > BAR_FROM) {
		fprintf(page->out, "%s\n", text);
		return;
	}
	fprintf(page->out, "%-*s", BAR_FROM, text);
	terminal_gauge(page->options, bar->share, bar->more, BAR_CELLS, bar->style, page->out);
	fputc('\n', page->out);
}

/* If a job failed within a second, its use of CPUs and memory says nothing. */
static bool failed_at_once(const struct page *page)
{
	const struct report_job *job = &page->report->job;

	return report_s(job->elapsed_s) < 1 && job_failed_by_itself(job->state);
}

void page_bars(struct page *page)
{
	struct job_bar bars[JOB_BARS];
	size_t count = failed_at_once(page) ? 0 : job_bars(page->report, bars);

	for (size_t i = 0; i < count; i++)
		print_bar(page, &bars[i]);
	if (count > 0)
		fputc('\n', page->out);
}
