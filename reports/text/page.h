/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the report as a page for people. The page begins with seff's lines, in seff's order and with seff's words.
 */
#ifndef STINT_PAGE_H
#define STINT_PAGE_H

#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/page_lines.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of @report, as returned by report_load(). Control characters in the report are escaped, so that a
 * report cannot control the terminal. If options->colour is set, stint's own colour sequences are the only ones on the
 * page.
 */
void page_print(const struct report *report, const struct page_options *options, FILE *out);

/* Prints to @page->out the lines that seff also prints, in seff's order. */
void page_seff(struct page *page);

#endif
