/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a report as JSON, in the form of report files.
 * Each field of a part, and each element of a list, is a line. Unknown values are left out.
 * A report of this version that is read and written again is the same, byte by byte.
 */
#ifndef STINT_REPORT_WRITE_H
#define STINT_REPORT_WRITE_H

#include <stddef.h>

#include "reports/model/report_tables.h"

/* Returns the text, which the caller must free; NULL with errno ENOMEM if out of memory. @len: set to its length */
char *report_write(const struct report *report, size_t *len);

/*
 * Writes @object, a struct of the table @of of any model, in one line. report_write() writes many lines.
 * Returns the text as report_write() does.
 */
char *report_write_object(const struct report_object *of, const void *object, size_t *len);

#endif
