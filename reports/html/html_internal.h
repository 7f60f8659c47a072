/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page for browsers, one part in each file, and the functions that these files share. */
#ifndef STINT_HTML_INTERNAL_H
#define STINT_HTML_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/html/markup.h"
#include "reports/model/report.h"

#define HTML_UNKNOWN "not known"

/* Texts that embed.sh makes from the files of this directory and from the charting library. NUL-terminated. */
extern const char html_page[];           /* page.html */
extern const char html_style[];          /* page.css */
extern const char html_script[];         /* our own JavaScript */
extern const char html_script_hash[];    /* 'sha256-...', as a Content-Security-Policy writes it */
extern const char html_library[];        /* the source of dygraphs; empty if stint was built without it */
extern const char html_library_hash[];
extern const char html_library_licence[];

/* Each function prints one part of the page, in place of its name in page.html. */
void html_title(const struct report *report, FILE *out);
void html_head(const struct report *report, FILE *out);
void html_bars(const struct report *report, FILE *out);
void html_why(const struct report *report, FILE *out);
void html_seff(const struct report *report, FILE *out);
void html_verdict(const struct report *report, FILE *out);
void html_figures(const struct report *report, FILE *out);
void html_states(const struct report *report, FILE *out);
void html_findings(const struct report *report, FILE *out);
void html_advice(const struct report *report, FILE *out);
void html_tables(const struct report *report, FILE *out);
void html_entries(const struct report *report, FILE *out);
void html_series(const struct report *report, FILE *out);
void html_gaps(const struct report *report, FILE *out);
void html_incomplete(const struct report *report, FILE *out);

/*
 * Prints @text as a JSON string, for data in the page. Escapes the string as all other text of the page, so it cannot
 * deceive readers or control terminals.
 */
void html_json_text(FILE *out, const char *text);

/* Prints the job's owner, place and time, as a part of html_seff(). */
void html_items(const struct report *report, FILE *out);

/*
 * Prints the numbers behind a verdict or a finding.
 */
void html_evidence(FILE *out, const struct report_evidence_list *list);

/* Prints the data for the pictures as JSON, compressed and in base64. */
void html_data(const struct report *report, FILE *out);

/*
 * The type of a column's member, which also decides how a cell shows it. Readers can sort a table by a column. If the
 * column has numbers, the numbers decide the order, and not their texts.
 */
enum html_kind {
	HTML_TEXT,
	HTML_COUNT,
	HTML_SIZE,   /* a count of bytes */
	HTML_TIME,   /* seconds */
	HTML_SHARE,  /* seconds, as a share of the job's CPU time, with a bar */
	HTML_NUMBER, /* any number; the column's print() prints the cell */
};

struct html_column {
	const char *head;
	enum html_kind kind;
	size_t offset; /* offset of the member in the row's struct; not used for HTML_NUMBER */
	bool rare;     /* if set, the column is left out unless some row has more than 0 */
	/*
	 * For HTML_NUMBER, prints the whole cell. For HTML_TEXT, prints what follows the text in the cell; NULL if
	 * nothing does.
	 */
	void (*print)(const struct report *report, const void *row, FILE *out);
};

/*
 * Defines a column for @member of struct report_@of. Further arguments set other members of struct html_column, for
 * example ".rare = true".
 */
#define HTML_COLUMN(of, title, type, member, ...) \
	{ .head = (title), .kind = (type), .offset = offsetof(struct report_##of, member), __VA_ARGS__ }

/* A table with one row for each struct in a list of the report. */
struct html_table {
	const char *id;
	const char *title;
	const char *note; /* printed below the title; may be NULL */
	const struct report *report;
	const struct html_column *columns;
	size_t columns_count;
	const void *rows;
	size_t rows_count, row_bytes;
	size_t max; /* maximum number of rows */
	bool (*worth)(const void *row); /* returns whether to show the row; if NULL, every known row is shown */
};

#define HTML_COLUMNS(list) .columns = (list), .columns_count = sizeof(list) / sizeof((list)[0])
#define HTML_ROWS(list) .rows = (list)->items, .rows_count = (list)->count, .row_bytes = sizeof(*(list)->items)

/* Prints the table as a section with its title. Prints nothing if the table has no rows. */
void html_table(FILE *out, const struct html_table *table);

/* Prints the table without section and title, for use inside another part. */
void html_bare_table(FILE *out, const struct html_table *table);

/* Returns the number that @row has in @column; NAN if it is not known, or if the column has no numbers. */
double html_number(const struct html_column *column, const void *row);

/* Prints the cell for a number that is not known. */
void html_unknown_cell(FILE *out);

/* Reads a time of the report. Returns milliseconds since 1970 UTC; INT64_MIN if @text is no time, or NULL. */
int64_t html_time(const char *text);

/* A group of thread states that readers need not distinguish. */
struct html_state {
	const char *name; /* class in page.css, also used by the scripts */
	const char *word;
	size_t offsets[4]; /* offsets of the times in struct report_states; 0 after the last */
};

#define HTML_STATES 9
extern const struct html_state html_state_groups[HTML_STATES];

/*
 * Returns the sum of the known times of the group.
 *
 * @states: struct report_states, or struct report_job_states, which begins with the same members
 */
double html_state_seconds(const void *states, const struct html_state *group);

#endif
