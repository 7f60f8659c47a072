/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as one page for a browser, complete in itself: it needs no network and no other file. A report may be
 * forged, so only text of it gets into the page. docs/html.md says how the page is made.
 */
#ifndef STINT_HTML_H
#define STINT_HTML_H

#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"

/*
 * Prints the page of @report, as report_load() returned it.
 *
 * Returns 0; -1 with @err set when memory is short. The caller checks ferror() of @out.
 */
int html_print(const struct report *report, FILE *out, struct error *err);

/*
 * Writes the page to the file @path, as output_write() does. "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int html_write(const struct report *report, const char *path, struct error *err);

#endif
