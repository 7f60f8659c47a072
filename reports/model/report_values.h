/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the report's plain values as JSON. */
#ifndef STINT_REPORT_VALUES_H
#define STINT_REPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/json/scan.h"
#include "reports/model/report_tables.h"

/* Reads a plain value. Skips a list or an object, and only reads its type. */
bool values_read(struct scan *scan, struct scan_value *value);

/* Sets @member, which is of @type, to @value. If @value has another type, makes @member unknown. */
void values_take(enum report_type type, const struct scan_value *value, void *member);

/* Set an item of a list of plain values, or of a map, like values_take(). */
void values_take_item(enum report_type list, const struct scan_value *value, void *item);
void values_take_named(enum report_type map, const char *name, const struct scan_value *value, void *item);

/* Returns the size in bytes of an item of a list of plain values, or of a map. */
size_t values_item_bytes(enum report_type list);

bool values_known(enum report_type type, const void *member);

/* Writes @member, which is of @type and known. */
void values_print(enum report_type type, const void *member, FILE *out);

/* Writes item @i of a list of plain values, or the value of item @i of a map. Writes null if it is not known. */
void values_print_item(enum report_type list_type, const struct report_any_list *list, size_t i, FILE *out);

const char *values_name(enum report_type map_type, const struct report_any_list *map, size_t i);

/* Writes @text as a JSON string, with its quotes. */
void values_print_text(const char *text, FILE *out);

#endif
