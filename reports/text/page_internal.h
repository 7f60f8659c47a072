/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page, one part in each file. */
#ifndef STINT_PAGE_INTERNAL_H
#define STINT_PAGE_INTERNAL_H

#include "reports/terminal/page_lines.h"

#define PAGE_NAME_COLUMNS 24 /* width of the job's name in the first line; longer names are cut */

/* Prints the first line, which says how the job ended. */
void page_outcome(struct page *page);

/* Prints the last lines of a failed job's own output. */
void page_output(struct page *page);

/* Prints how much of its allocation the job used, and what limited the job. */
void page_bars(struct page *page);
void page_why(struct page *page);

/* Prints the facts that seff does not show, one line each. */
void page_summary(struct page *page);

/* Prints how the threads spent their time, and on which file systems they waited. */
void page_states(struct page *page);
void page_file_systems(struct page *page);

/* Prints lines to paste for the next time, and below them the reasons. */
void page_advice(struct page *page);
void page_reasons(struct page *page);

/* Prints findings, and what went wrong while the job ran. */
void page_findings(struct page *page);
void page_oom(struct page *page);
void page_stalls(struct page *page);

/* Print the tables of tools, steps and nodes. */
void page_tools(struct page *page);
void page_steps(struct page *page);
void page_nodes(struct page *page);

/* Prints, below the nodes, which nodes did most and least, and which did nothing. */
void page_balance(struct page *page);

/* Print what is not known. page_incomplete() prints it at the top, page_gaps() at the end. */
void page_incomplete(struct page *page);
void page_gaps(struct page *page);

#endif
