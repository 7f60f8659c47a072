/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report for people. The page begins with the lines of seff, in seff's order and words. */
#ifndef STINT_PAGE_H
#define STINT_PAGE_H

#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/page_lines.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of @report, as returned by report_load().
 * Control characters are escaped, because a user's text must not control the terminal.
 */
void page_print(const struct report *report, const struct page_options *options, FILE *out);

/* Prints the lines that seff prints, in seff's order. */
void page_seff(struct page *page);

#endif
