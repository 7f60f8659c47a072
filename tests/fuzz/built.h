/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds of a record that the collector wrote, and of the report that is made of it. */
#ifndef STINT_FUZZ_BUILT_H
#define STINT_FUZZ_BUILT_H

#include <stddef.h>

struct json_object;

/* Of the report: it is JSON, is read by "stint report", says the same when read again, and is shown safely. */
void built_check_report(struct json_object *report);

/* Of the record's text: it is JSON, is taken by record_parse(), and a report is made of it. */
void built_check_record(const char *text, size_t len);

/* Of the page that "stint report" prints of @report. */
void built_check_page(struct json_object *report);

/* Of a report, and of what report_load_brief() made of its text. */
void built_check_same_page(struct json_object *report, struct json_object *brief);

#endif
