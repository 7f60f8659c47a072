/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the report's plain values of each type from JSON, and writes them. */
#ifndef STINT_REPORT_VALUES_H
#define STINT_REPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/json/scan.h"
#include "reports/model/report_tables.h"

/* Reads any value. For a list or an object, reads only the type. */
bool values_read(struct scan *scan, struct scan_value *value);

/* Sets @member, which is of @type, to @value. If the value is of another type, makes @member unknown. */
void values_take(enum report_type type, const struct scan_value *value, void *member);

/* Like values_take(), for an item of a list of plain values, and for an item of a map. */
void values_take_item(enum report_type list, const struct scan_value *value, void *item);
void values_take_named(enum report_type map, const char *name, const struct scan_value *value, void *item);

/* Returns the size in bytes of an item of a list of plain values, or of a map. */
size_t values_item_bytes(enum report_type list);

/* Returns true if @member, which is of @type, is known. */
bool values_known(enum report_type type, const void *member);

/* Writes @member, which is of @type, and must be known. */
void values_print(enum report_type type, const void *member, FILE *out);

/*
 * Writes the item @i of @list, which is a list of plain values. Writes null if the item is not known. For a map, writes
 * the item's value.
 */
void values_print_item(enum report_type list_type, const struct report_any_list *list, size_t i, FILE *out);

/* Returns the name of the item @i of @map. */
const char *values_name(enum report_type map_type, const struct report_any_list *map, size_t i);

/* Writes @text as a JSON text. */
void values_print_text(const char *text, FILE *out);

#endif
