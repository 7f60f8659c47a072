/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/page.h"

#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/text/page_internal.h"

static void print_left_out(struct page *page)
{
	const char *not_known = page->not_known;
	cleanup_free char *text = NULL;

	if (!*page->left_out && !not_known)
		return;
	fputc('\n', page->out);
	if (asprintf(&text, "%s%s%s%s%s%s--all shows all.", not_known ? "Not known: " : "", not_known ? not_known : "",
		     not_known ? ". " : "", *page->left_out ? "Not shown: " : "", page->left_out,
		     *page->left_out ? ". " : "") >= 0)
		page_wrapped(page, &(struct page_wrap){ .first = "", .next = "" }, text);
}

void page_print(struct json_object *report, const struct page_options *options, FILE *out)
{
	struct page page = { .report = report, .options = options, .out = out };

	page_incomplete(&page);
	page_outcome(&page);
	page_output(&page);
	page_bars(&page);
	page_why(&page);
	page_advice(&page);
	page_seff(&page);
	page_summary(&page);
	page_states(&page);
	page_file_systems(&page);
	page_tools(&page);
	page_steps(&page);
	page_nodes(&page);
	page_balance(&page);
	page_stalls(&page);
	page_oom(&page);
	page_findings(&page);
	page_reasons(&page);
	page_gaps(&page);
	print_left_out(&page);
	free(page.not_known);
}
