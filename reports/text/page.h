/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as a page for people, in seff's order and with seff's words first. */
#ifndef STINT_PAGE_H
#define STINT_PAGE_H

#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/page_lines.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of @report, as report_load() returned it. No control character of the report gets through: with
 * options->colour, only colours control the terminal.
 */
void page_print(const struct report *report, const struct page_options *options, FILE *out);

/*
 * Prints the lines that seff prints too, in its order, to @page->out.
 */
void page_seff(struct page *page);

#endif
