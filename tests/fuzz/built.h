/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a record that the collector wrote, and the report made from it. */
#ifndef STINT_BUILT_H
#define STINT_BUILT_H

#include <stddef.h>

struct report;

/* Checks that a report is JSON, is the same when read again, and is shown safely. */
void built_check_report(const struct report *report);

/* Checks that a record is JSON, that record_parse() accepts it, and that a report can be made from it. */
void built_check_record(const char *text, size_t len);

/* Checks the page that "stint report" prints of @report. */
void built_check_page(const struct report *report);

/* Checks that @brief, from report_load_brief(), makes the same page as @report. */
void built_check_same_page(const struct report *report, const struct report *brief);

#endif
