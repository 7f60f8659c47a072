/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the report as JSON, in the form that report files have: each field of a part and each element of a list on a line of its
 * own, in the order of report_fields.h. Unknown values are left out. A report that this version made stays the same, byte by byte,
 * if it is read and written again.
 */
#ifndef STINT_REPORT_WRITE_H
#define STINT_REPORT_WRITE_H

#include <stddef.h>

#include "reports/model/report_tables.h"

/* Returns the text, to be freed; NULL with errno ENOMEM if out of memory. @len: set to its length */
char *report_write(const struct report *report, size_t *len);

/* The same for @object, of any model, by its table @of; on one line, unless it is a report. */
char *report_write_object(const struct report_object *of, const void *object, size_t *len);

#endif
