/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a record that the collector wrote, and of the report made from it. */
#ifndef STINT_BUILT_H
#define STINT_BUILT_H

#include <stddef.h>

struct report;

/* Checks a report: it is JSON, "stint report" reads it, it is the same when read again, and it is shown safely. */
void built_check_report(const struct report *report);

/* Checks a record's text: it is JSON, record_parse() accepts it, and a report is made from it. */
void built_check_record(const char *text, size_t len);

/* Checks the page that "stint report" prints of @report. */
void built_check_page(const struct report *report);

/* Checks a report, and the result of report_load_brief() for its text. */
void built_check_same_page(const struct report *report, const struct report *brief);

#endif
