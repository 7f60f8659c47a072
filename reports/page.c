/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/page.h"

#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/page_part.h"

#define PROSE_COLUMNS 100 /* longer lines are hard to read */

void page_head(struct page *page, const char *text)
{
	fputc('\n', page->out);
	terminal_styled(page->options, STYLE_HEAD, text, page->out);
	fputc('\n', page->out);
}

void page_line(struct page *page, const char *label, const char *format, ...)
{
	cleanup_free char *text = NULL, *escaped = NULL;
	size_t label_width = strlen(label) + 2;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	escaped = terminal_escape(page->options, text);
	if (escaped)
		escape_cut(escaped, page->options->width - label_width);
	fprintf(page->out, "%s: %s\n", label, escaped ? escaped : "");
}

/* ---- wrapped text ---- */

struct cursor {
	size_t column, indent, width;
	bool head; /* still in the text's first words */
};

static void new_line(struct page *page, const struct page_wrap *wrap, struct cursor *cursor)
{
	fputc('\n', page->out);
	if (wrap->next)
		terminal_styled(page->options, wrap->style, wrap->next, page->out);
	else
		fprintf(page->out, "%*s", (int)cursor->indent, "");
	cursor->column = cursor->indent;
}

static void put_word(struct page *page, const struct page_wrap *wrap, char *word, struct cursor *cursor)
{
	size_t width;

	escape_cut(word, cursor->width - cursor->indent);
	width = escape_width(word);
	if (cursor->column > cursor->indent && cursor->column + 1 + width > cursor->width) {
		new_line(page, wrap, cursor);
	} else if (cursor->column > cursor->indent) {
		fputc(' ', page->out);
		cursor->column++;
	}
	terminal_styled(page->options, cursor->head ? wrap->head : STYLE_PLAIN, word, page->out);
	cursor->head = cursor->head && word[strlen(word) - 1] != ':';
	cursor->column += width;
}

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text)
{
	cleanup_free char *escaped = terminal_escape(page->options, text);
	struct cursor cursor = { .width = page->options->width, .indent = escape_width(wrap->first),
				 .head = escaped && strchr(escaped, ':') };
	char *rest, *word;

	if (!escaped)
		return;
	cursor.width = cursor.width < PROSE_COLUMNS ? cursor.width : PROSE_COLUMNS;
	cursor.column = cursor.indent;
	terminal_styled(page->options, wrap->style, wrap->first, page->out);
	for (word = strtok_r(escaped, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		put_word(page, wrap, word, &cursor);
	fputc('\n', page->out);
}

void page_paragraph(struct page *page, const char *label, const char *format, ...)
{
	cleanup_free char *text = NULL, *first = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (asprintf(&first, "%s: ", label) < 0)
		first = NULL;
	if (text && first)
		page_wrapped(page, &(struct page_wrap){ .first = first }, text);
}

/* ---- one screen ---- */

size_t page_limit(const struct page *page, size_t screen)
{
	return page->options->all ? SIZE_MAX : screen;
}

void page_leave_out(struct page *page, size_t count, const char *one, const char *many)
{
	size_t used = strlen(page->left_out);

	if (count > 0)
		snprintf(page->left_out + used, sizeof(page->left_out) - used, "%s%zu %s", used ? ", " : "", count,
			 count == 1 ? one : many);
}

static void print_left_out(struct page *page)
{
	const char *not_known = page->not_known;
	cleanup_free char *text = NULL;

	if (!*page->left_out && !not_known)
		return;
	fputc('\n', page->out);
	if (asprintf(&text, "%s%s%s%s%s%s--all tells all.", not_known ? "Not known: " : "", not_known ? not_known : "",
		     not_known ? ". " : "", *page->left_out ? "Not shown: " : "", page->left_out,
		     *page->left_out ? ". " : "") >= 0)
		page_wrapped(page, &(struct page_wrap){ .first = "", .next = "" }, text);
}

void page_print(struct json_object *report, const struct page_options *options, FILE *out)
{
	struct page page = { .report = report, .options = options, .out = out };

	page_incomplete(&page);
	page_seff(&page);
	page_more(&page);
	page_states(&page);
	page_file_systems(&page);
	page_tools(&page);
	page_steps(&page);
	page_nodes(&page);
	page_balance(&page);
	page_stalls(&page);
	page_oom(&page);
	page_findings(&page);
	page_advice(&page);
	page_gaps(&page);
	print_left_out(&page);
	free(page.not_known);
}
