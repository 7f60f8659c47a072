/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as a page for people. It begins in seff's order and with seff's words. */
#ifndef STINT_PAGE_H
#define STINT_PAGE_H

#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/page_lines.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of @report, as returned by report_load(). No control character of the report gets through: with
 * options->colour, only colour sequences control the terminal.
 */
void page_print(const struct report *report, const struct page_options *options, FILE *out);

/*
 * Prints to @page->out the lines that seff prints too, in seff's order.
 */
void page_seff(struct page *page);

#endif
