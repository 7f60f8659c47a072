/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/page_lines.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"

#define PROSE_COLUMNS 100 /* longer lines of prose are hard to read */
#define LABEL_TEXT 64

void page_head(struct page *page, const char *text)
{
	fputc('\n', page->out);
	terminal_styled(page->options, STYLE_HEAD, text, page->out);
	fputc('\n', page->out);
}

static void __attribute__((format(printf, 3, 0)))
print_line(struct page *page, const char *before, const char *format, va_list args)
{
	cleanup_free char *text = NULL, *escaped = NULL;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	escaped = terminal_escape(page->options, text);
	if (escaped)
		escape_cut(escaped, page->options->width - strlen(before));
	fprintf(page->out, "%s%s\n", before, escaped ? escaped : "");
}

void page_line(struct page *page, const char *label, const char *format, ...)
{
	char before[LABEL_TEXT];
	va_list args;

	snprintf(before, sizeof(before), "%s: ", label);
	va_start(args, format);
	print_line(page, before, format, args);
	va_end(args);
}

void page_text(struct page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line(page, "", format, args);
	va_end(args);
}

/* ---- wrapped text ---- */

struct cursor {
	size_t column, begin, width; /* @begin: the column at which the text begins */
	size_t head; /* number of words of the head that are not printed yet */
};

static void new_line(struct page *page, const struct page_wrap *wrap, struct cursor *cursor)
{
	fputc('\n', page->out);
	if (wrap->next)
		terminal_styled(page->options, wrap->style, wrap->next, page->out);
	else
		fprintf(page->out, "%*s", (int)cursor->begin, "");
	if (wrap->next)
		cursor->begin = escape_width(wrap->next);
	cursor->column = cursor->begin;
}

static void put_word(struct page *page, const struct page_wrap *wrap, char *word, struct cursor *cursor)
{
	size_t width;

	escape_cut(word, cursor->width - cursor->begin);
	width = escape_width(word);
	if (cursor->column > cursor->begin && cursor->column + 1 + width > cursor->width) {
		new_line(page, wrap, cursor);
	} else if (cursor->column > cursor->begin) {
		fputc(' ', page->out);
		cursor->column++;
	}
	terminal_styled(page->options, cursor->head ? wrap->head : STYLE_PLAIN, word, page->out);
	cursor->head -= cursor->head > 0;
	cursor->column += width;
}

static size_t words_of_head(const char *text)
{
	const char *colon = strchr(text, ':');
	size_t words = 1;

	while (colon && colon[1] && colon[1] != ' ')
		colon = strchr(colon + 1, ':');
	for (const char *c = text; colon && c < colon; c++)
		words += *c == ' ' && c[1] != ' ';
	return colon ? words : 0;
}

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text)
{
	cleanup_free char *escaped = terminal_escape(page->options, text);
	struct cursor cursor = { .width = page->options->width, .begin = escape_width(wrap->first),
				 .head = wrap->head_words };
	char *rest, *word;

	if (!escaped)
		return;
	if (!cursor.head)
		cursor.head = words_of_head(escaped);
	cursor.width = cursor.width < PROSE_COLUMNS ? cursor.width : PROSE_COLUMNS;
	cursor.column = cursor.begin;
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
