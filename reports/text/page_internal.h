/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's parts, each in a file of its own. */
#ifndef STINT_PAGE_INTERNAL_H
#define STINT_PAGE_INTERNAL_H

#include "reports/terminal/page_lines.h"

#define PAGE_NAME_COLUMNS 24 /* the first line shows this much of the job's name */

/* The first line: how the job ended. */
void page_outcome(struct page *page);

/* The last lines of a failed job's own output. */
void page_output(struct page *page);

/* What the job used of its allocation, and what limited it. */
void page_bars(struct page *page);
void page_why(struct page *page);

/* What seff does not show, one line each. */
void page_summary(struct page *page);

/* How the threads spent their time, and on which file systems they waited. */
void page_states(struct page *page);
void page_file_systems(struct page *page);

/* Lines to paste for the next time, and below them the reasons. */
void page_advice(struct page *page);
void page_reasons(struct page *page);

/* Findings, and what went wrong on the way. */
void page_findings(struct page *page);
void page_oom(struct page *page);
void page_stalls(struct page *page);

/* The tables of tools, steps and nodes. */
void page_tools(struct page *page);
void page_steps(struct page *page);
void page_nodes(struct page *page);

/* Below the nodes: which of them did most and least, and which did nothing. */
void page_balance(struct page *page);

/* What is not known. page_incomplete() prints it at the top, page_gaps() at the end. */
void page_incomplete(struct page *page);
void page_gaps(struct page *page);

#endif
