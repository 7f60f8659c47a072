/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds lists and texts to a report, in the report's memory.
 * If memory runs out, the new item is lost, and report_lacks_memory() is true from then on.
 * So callers can check for errors once, at the end.
 */
#ifndef STINT_REPORT_MAKE_H
#define STINT_REPORT_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"
#include "reports/model/report_tables.h"

/*
 * Appends an object to @list, a struct report_@of_list, and returns the object.
 * The list and the object become known, but nothing in the object is known yet.
 * The pointer is valid until the next object is appended.
 * If out of memory, returns a spare object that is not in the list.
 */
#define REPORT_ADD(report, list, of) ((struct report_##of *)report_add(report, list, report_table_##of()))

/* Use REPORT_ADD() instead. */
void *report_add(struct report *report, void *list, const struct report_object *of);

/*
 * Makes @list, a struct report_@of_list, a list of @count objects, without room for more.
 * The objects are known, but nothing in them is known yet.
 * If out of memory, the list is empty.
 */
#define REPORT_MAKE(report, list, count, of) report_make(report, list, count, report_table_##of())

/* Use REPORT_MAKE() instead. */
void report_make(struct report *report, void *list, size_t count, const struct report_object *of);

/* Makes @list a list of @count unknown counts or times. If out of memory, the list is empty. */
void report_make_values(struct report *report, void *list, size_t count);

/* @text must live as long as @report. */
void report_add_text(struct report *report, struct report_texts *list, const char *text);

/* @value may be unknown. */
void report_add_value(struct report *report, struct report_counts *list, int64_t value);

/* @name must live as long as @report. */
void report_add_count(struct report *report, struct report_count_map *map, const char *name, int64_t value);
void report_add_ratio(struct report *report, struct report_ratio_map *map, const char *name, double value);

/* Returns a copy of @text in valid UTF-8; NULL if @text is NULL, or if out of memory. */
const char *report_copy(struct report *report, const char *text);

/*
 * Makes @report an owner of @part, so that @report may point into the memory of @part.
 * If @part lacks memory, so does @report.
 */
void report_keep(struct report *report, struct report *part);

/* Notes that @report lacks something because memory ran out. */
void report_lacked(struct report *report);

/* Returns whether @report lacks something because memory ran out. */
bool report_lacks_memory(const struct report *report);

#endif
