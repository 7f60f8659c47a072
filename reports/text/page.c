/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void print_first(struct page *page)
{
	page_incomplete(page);
	page_outcome(page);
	page_output(page);
	page_bars(page);
	page_why(page);
	page_advice(page);
}

static void print_rest(struct page *page)
{
	page_seff(page);
	page_summary(page);
	page_states(page);
	page_file_systems(page);
	page_tools(page);
	page_gpus(page);
	page_containers(page);
	page_steps(page);
	page_nodes(page);
	page_balance(page);
	page_stalls(page);
	page_oom(page);
	page_findings(page);
	page_reasons(page);
	page_gaps(page);
	print_left_out(page);
}

static char *printed(struct page *page, void (*print)(struct page *page))
{
	FILE *out = page->out;
	char *text = NULL;
	size_t length;

	page->out = open_memstream(&text, &length);
	if (page->out) {
		print(page);
		fclose(page->out);
	}
	page->out = out;
	return text;
}

static int count_lines(const char *text)
{
	int lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* Prints the second part only if the terminal has room for this part and the shell's prompt. */
static void print_what_fits(struct page *page)
{
	cleanup_free char *first = printed(page, print_first), *rest = printed(page, print_rest);
	int more = rest ? count_lines(rest) : 0;

	if (!first || !rest) {
		print_first(page);
		print_rest(page);
		return;
	}
	fputs(first, page->out);
	if (count_lines(first) + more < page->options->rows)
		fputs(rest, page->out);
	else
		fprintf(page->out, "%d more lines: --all shows them, and so does a pipe (| less).\n", more);
}

void page_print(const struct report *report, const struct page_options *options, FILE *out)
{
	struct page page = { .report = report, .options = options, .out = out };

	if (options->rows > 0 && !options->all) {
		print_what_fits(&page);
	} else {
		print_first(&page);
		print_rest(&page);
	}
	free(page.not_known);
}
