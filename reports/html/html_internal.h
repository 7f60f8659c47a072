/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page for browsers, and functions that they share. */
#ifndef STINT_HTML_INTERNAL_H
#define STINT_HTML_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/html/markup.h"
#include "reports/model/report.h"

#define HTML_UNKNOWN "not known"

/* Texts that embed.sh makes from files. NUL-terminated. */
extern const char html_page[];
extern const char html_style[];
extern const char html_script[];
extern const char html_script_hash[];    /* 'sha256-...', for the Content-Security-Policy */
extern const char html_library[];        /* source of dygraphs; empty if stint was built without it */
extern const char html_library_hash[];
extern const char html_library_licence[];

/* Each function prints the part of the page that page.html names. */
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
void html_gpus(const struct report *report, FILE *out);
void html_entries(const struct report *report, FILE *out);
void html_series(const struct report *report, FILE *out);
void html_gaps(const struct report *report, FILE *out);
void html_incomplete(const struct report *report, FILE *out);

/*
 * Prints @text as a JSON string.
 * Escapes @text as html_text() does, so that @text cannot deceive readers or control terminals.
 */
void html_json_text(FILE *out, const char *text);

/* Prints the job's owner, place and time, for html_seff(). */
void html_items(const struct report *report, FILE *out);

void html_evidence(FILE *out, const struct report_evidence_list *list);

/* Prints the data for the pictures as JSON: compressed, then base64. */
void html_data(const struct report *report, FILE *out);

/* Type of a column's member. Decides how a cell shows the value, and how readers sort the column. */
enum html_kind {
	HTML_TEXT,
	HTML_COUNT,
	HTML_SIZE,   /* bytes */
	HTML_TIME,   /* seconds */
	HTML_SHARE,  /* seconds, shown as a share of the job's CPU time, with a bar */
	HTML_NUMBER, /* the column's print() prints the cell */
};

struct html_column {
	const char *head;
	enum html_kind kind;
	size_t offset; /* offset of the member in the row's struct; not used for HTML_NUMBER */
	bool rare;     /* leave out the column if no row has more than 0 */
	/*
	 * HTML_NUMBER: prints the whole cell.
	 * HTML_TEXT: prints what follows the text; may be NULL.
	 */
	void (*print)(const struct report *report, const void *row, FILE *out);
};

/*
 * A column for @member of struct report_@of.
 * More arguments set other members, such as ".rare = true".
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
	size_t max;
	bool (*worth)(const void *row); /* whether to show the row; if NULL, each known row is shown */
};

#define HTML_COLUMNS(list) .columns = (list), .columns_count = sizeof(list) / sizeof((list)[0])
#define HTML_ROWS(list) .rows = (list)->items, .rows_count = (list)->count, .row_bytes = sizeof(*(list)->items)

/* Prints the table as a section with its title. Prints nothing if it has no rows. */
void html_table(FILE *out, const struct html_table *table);

/* Prints the table without section and title. */
void html_bare_table(FILE *out, const struct html_table *table);

/* Returns the number of @row in @column; NAN if unknown, or not a number. */
double html_number(const struct html_column *column, const void *row);

void html_unknown_cell(FILE *out);

/*
 * Reads a time of the report.
 * Returns milliseconds since 1970 UTC; INT64_MIN if @text is NULL or no time.
 */
int64_t html_time(const char *text);

/* A group of thread states that readers need not distinguish. */
struct html_state {
	const char *name; /* class in page.css and in the scripts */
	const char *word;
	size_t offsets[4]; /* offsets of the times in struct report_states; 0 ends the list */
};

#define HTML_STATES 10
extern const struct html_state html_state_groups[HTML_STATES];

/*
 * Returns the sum of the group's known times, in seconds.
 *
 * @states: struct report_states or struct report_job_states; their first members are the same
 */
double html_state_seconds(const void *states, const struct html_state *group);

#endif
