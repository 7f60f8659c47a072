/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page for browsers, each in a file of its own, and what they share. */
#ifndef STINT_HTML_INTERNAL_H
#define STINT_HTML_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

#include "reports/html/markup.h"

#define HTML_UNKNOWN "not known"

/* Made by embed.sh from the files of this directory and from the charting library; NUL-terminated. */
extern const char html_page[];           /* page.html */
extern const char html_style[];          /* page.css */
extern const char html_script[];         /* our own JavaScript */
extern const char html_script_hash[];    /* 'sha256-...', as in a Content-Security-Policy */
extern const char html_library[];        /* dygraphs; empty: built without it */
extern const char html_library_hash[];
extern const char html_library_licence[];

/* Each prints one part of the page, in place of its name in page.html. */
void html_title(struct json_object *report, FILE *out);
void html_head(struct json_object *report, FILE *out);
void html_bars(struct json_object *report, FILE *out);
void html_why(struct json_object *report, FILE *out);
void html_seff(struct json_object *report, FILE *out);
void html_verdict(struct json_object *report, FILE *out);
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
 * Returns @text as a JSON string, for data in the page: escaped as the rest of the page is, so that it cannot deceive
 * readers or control terminals. NULL when memory is short.
 */
struct json_object *html_json_text(const char *text);

/* Prints who ran the job, where and when; a part of html_seff(). */
void html_items(struct json_object *report, FILE *out);

/*
 * Prints the numbers behind a verdict or a finding.
 */
void html_evidence(FILE *out, struct json_object *list);

/*
 * Prints the data that the pictures are drawn from: JSON, compressed, in base64.
 */
void html_data(struct json_object *report, FILE *out);

/* How a column's field is shown. A table is sorted by the column's numbers, where it has any. */
enum html_kind {
	HTML_TEXT,
	HTML_TOOL,   /* with its interpreter */
	HTML_ENDING, /* exit code or signal; no field */
	HTML_COUNT,
	HTML_RUNS,   /* for an entry of the timeline; a fork is no run */
	HTML_SIZE,
	HTML_PEAK,   /* of a step; "at least" where it was not sampled */
	HTML_TIME,   /* seconds */
	HTML_SHARE,  /* as a share of the table's whole, with a bar */
};

struct html_column {
	const char *head;
	const char *field; /* dotted name */
	enum html_kind kind;
};

/* A table with one row for each object of a list. */
struct html_table {
	const char *id;
	const char *title;
	const char *note; /* below the title; may be NULL */
	const struct html_column *columns;
	size_t columns_count;
	size_t max;   /* at most so many rows are shown */
	double whole; /* for HTML_SHARE */
	bool (*worth)(struct json_object *row); /* whether an object is worth a row; NULL: each is */
	const char *const *rare; /* fields whose column is left out where no row has more than 0, then NULL */
};

/*
 * Prints the table as a section with its title; nothing when it has no row.
 */
void html_table(FILE *out, const struct html_table *table, struct json_object *list);

/*
 * Prints the table without section and title, for use within another part.
 */
void html_bare_table(FILE *out, const struct html_table *table, struct json_object *list);

/*
 * Reads the time in the field @name of @from. Returns milliseconds since 1970 UTC; INT64_MIN: none.
 */
int64_t html_time(struct json_object *from, const char *name);

/* The states of a thread, in groups that mean the same to a reader. */
struct html_state {
	const char *name; /* class in page.css, also used in the scripts */
	const char *word;
	const char *fields[4]; /* in the report; NULL behind the last */
};

#define HTML_STATES 9
extern const struct html_state html_state_groups[HTML_STATES];

#endif
