/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's first line. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/json/field.h"
#include "reports/text/job_fields.h"
#include "reports/text/page_internal.h"
#include "reports/verdict/outcome.h"

/* Slurm's words for states have no spaces, but for the one that the sentence writes as people read it. */
static size_t words_of_state(const char *outcome)
{
	return strncmp(outcome, "OUT OF MEMORY", strlen("OUT OF MEMORY")) == 0 ? 3 : 1;
}

void page_outcome(struct page *page)
{
	enum terminal_style style = job_state_style(field_text(page->report, "job.state"));
	cleanup_free char *name = terminal_escape(page->options, field_text(page->report, "job.name"));
	char id[JOB_ID_TEXT], text[OUTCOME_TEXT];
	const char *outcome = outcome_of_report(page->report, text);
	cleanup_free char *first = NULL;

	if (name)
		escape_cut(name, PAGE_NAME_COLUMNS);
	if (asprintf(&first, "Job %s%s%s: ", job_id_text(page->report, id), name ? " " : "", name ? name : "") < 0)
		first = NULL;
	if (first)
		page_wrapped(page, &(struct page_wrap){ .first = first, .style = STYLE_HEAD, .head = style,
							.head_words = words_of_state(outcome) }, outcome);
	fputc('\n', page->out);
}
