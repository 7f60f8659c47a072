/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting lists and texts into a report. They lie in the report's memory. If there is no memory left, what is made goes
 * nowhere, and report_lacks_memory() says so at the end: nothing needs to be asked before.
 */
#ifndef STINT_REPORT_MAKE_H
#define STINT_REPORT_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/model/report_tables.h"

/*
 * Appends an object to @list, a struct report_@of_list, which becomes known. Nothing in the object is known, but the object
 * itself is. It lies there until the next one is appended.
 */
#define REPORT_ADD(report, list, of) ((struct report_##of *)report_add(report, list, report_table_##of()))

/* The same, by the object's table. Use REPORT_ADD(). */
void *report_add(struct report *report, void *list, const struct report_object *of);

/*
 * Makes @list, a struct report_@of_list, one of @count objects, which takes no more room than these. Nothing in them is known,
 * but they are. Without memory it is empty.
 */
#define REPORT_MAKE(report, list, count, of) report_make(report, list, count, report_table_##of())

/* The same, by the object's table. Use REPORT_MAKE(). */
void report_make(struct report *report, void *list, size_t count, const struct report_object *of);

/* Makes @list, of counts or times, one of @count values, none of which is known. Without memory it is empty. */
void report_make_values(struct report *report, void *list, size_t count);

/* Appends @text, which must live as long as @report. */
void report_add_text(struct report *report, struct report_texts *list, const char *text);

/* Each appends @value, by @name, which must live as long as @report. */
void report_add_count(struct report *report, struct report_count_map *map, const char *name, int64_t value);
void report_add_ratio(struct report *report, struct report_ratio_map *map, const char *name, double value);

/* Returns a copy of @text in valid UTF-8; NULL where @text is, or without memory. */
const char *report_copy(struct report *report, const char *text);

/*
 * Makes @report an owner of @part: what lies in the memory of @part can be put into @report as it is. If @part lacks something,
 * so does @report.
 */
void report_keep(struct report *report, struct report *part);

/* Notes that there was no memory for something that was to be put into @report. */
void report_lacked(struct report *report);

/* Returns whether there was no memory for something. */
bool report_lacks_memory(const struct report *report);

#endif
