/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the report as one page for a browser (docs/html.md).
 * The page needs no network and no other file.
 * All text is escaped, because a user can forge a report.
 */
#ifndef STINT_HTML_H
#define STINT_HTML_H

#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"

/*
 * Prints the page of @report, as returned by report_load().
 *
 * Returns 0; -1 with @err set if out of memory.
 * The caller must check ferror() of @out.
 */
int html_print(const struct report *report, FILE *out, struct error *err);

/*
 * Writes the page to the file @path, as output_write() does. "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int html_write(const struct report *report, const char *path, struct error *err);

#endif
