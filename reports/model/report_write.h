/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a report as JSON, in the form of report files. Each field of a part and each element of a list is on a line
 * of its own, in the order of report_fields.h. Leaves out unknown values. If a report that this version of stint made
 * is read and written again, it stays the same, byte by byte.
 */
#ifndef STINT_REPORT_WRITE_H
#define STINT_REPORT_WRITE_H

#include <stddef.h>

#include "reports/model/report_tables.h"

/* Returns the text, which the caller frees; NULL with errno ENOMEM if out of memory. @len: set to the length of the text */
char *report_write(const struct report *report, size_t *len);

/*
 * Like report_write(), but writes an @object of any model, whose table is @of. Writes one line, unless the object is
 * a report.
 */
char *report_write_object(const struct report_object *of, const void *object, size_t *len);

#endif
