/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page for a browser, each in a file of its own, and what they share. */
#ifndef STINT_HTML_PART_H
#define STINT_HTML_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

#define HTML_UNKNOWN "not known"

/* What embed.sh made of the files of this directory and of the charting library; NUL-terminated. */
extern const char html_page[];           /* page.html */
extern const char html_style[];          /* page.css */
extern const char html_script[];         /* our own JavaScript */
extern const char html_script_hash[];    /* 'sha256-...', as a Content-Security-Policy has it */
extern const char html_library[];        /* dygraphs; empty: built without */
extern const char html_library_hash[];
extern const char html_library_licence[];

/* Each prints one part of the page: what stands for its name in page.html. */
void html_title(struct json_object *report, FILE *out);
void html_head(struct json_object *report, FILE *out);
void html_figures(struct json_object *report, FILE *out);
void html_states(struct json_object *report, FILE *out);
void html_findings(struct json_object *report, FILE *out);
void html_advice(struct json_object *report, FILE *out);
void html_tables(struct json_object *report, FILE *out);
void html_entries(struct json_object *report, FILE *out);
void html_series(struct json_object *report, FILE *out);
void html_gaps(struct json_object *report, FILE *out);
void html_incomplete(struct json_object *report, FILE *out);

/*
 * Prints the list of numbers that a verdict or a finding was made from.
 */
void html_evidence(FILE *out, struct json_object *list);

/*
 * Prints what the pictures are drawn from: JSON, compressed, in base64.
 */
void html_data(struct json_object *report, FILE *out);

/*
 * Prints @text so that it is text in HTML and in a quoted attribute. What would steer a reader's eyes, or cannot
 * be seen, stands as escape_text() writes it.
 */
void html_text(FILE *out, const char *text);

/*
 * As printf(), with html_text() of what comes out.
 */
void html_textf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints a bar of which @share (0 to 1; more is cut) is filled. It is a picture of what stands beside it as text.
 */
void html_bar(FILE *out, double share);

/* How a column's field is shown; by its number, where it has one, the table is sorted. */
enum html_kind {
	HTML_TEXT,
	HTML_TOOL,   /* with its interpreter */
	HTML_ENDING, /* exit code or signal; no field */
	HTML_COUNT,
	HTML_SIZE,
	HTML_TIME,   /* seconds */
	HTML_SHARE,  /* of the table's whole, with a bar */
};

struct html_column {
	const char *head;
	const char *field; /* dotted name */
	enum html_kind kind;
};

/* A table of one row for each object of a list. */
struct html_table {
	const char *id;
	const char *title;
	const char *note; /* below the title; may be NULL */
	const struct html_column *columns;
	size_t columns_count;
	size_t max;   /* rows that are shown */
	double whole; /* for HTML_SHARE */
	bool (*worth)(struct json_object *row); /* NULL: each is worth a row */
};

/*
 * Prints the table with its title as a section; nothing when there is no row.
 */
void html_table(FILE *out, const struct html_table *table, struct json_object *list);

/*
 * The same without section and title, for what stands within another part.
 */
void html_bare_table(FILE *out, const struct html_table *table, struct json_object *list);

/*
 * Reads the time that the field @name of @from tells. Returns milliseconds since 1970 UTC; INT64_MIN: none.
 */
int64_t html_time(struct json_object *from, const char *name);

/* The states of a thread, those that say the same to a reader together. */
struct html_state {
	const char *name; /* class in page.css, and in the scripts */
	const char *word;
	const char *fields[3]; /* of the report; NULL where there are fewer */
};

#define HTML_STATES 9
extern const struct html_state html_state_groups[HTML_STATES];

#endif
