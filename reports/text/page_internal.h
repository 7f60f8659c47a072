/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page, one in each file. */
#ifndef STINT_PAGE_INTERNAL_H
#define STINT_PAGE_INTERNAL_H

#include "reports/terminal/page_lines.h"

#define PAGE_NAME_COLUMNS 24 /* columns of the job's name in the first line; longer names are cut */

/* Prints how the job ended, in the first line. */
void page_outcome(struct page *page);

/* Prints the last lines of a failed job's output. */
void page_output(struct page *page);

void page_bars(struct page *page);
void page_why(struct page *page);

/* Prints facts that seff does not show. */
void page_summary(struct page *page);

/* Prints how threads spent their time, and on which file systems they waited. */
void page_states(struct page *page);
void page_file_systems(struct page *page);

/* Prints lines to paste, and the reasons below. */
void page_advice(struct page *page);
void page_reasons(struct page *page);

/* Prints findings, and what went wrong while the job ran. */
void page_findings(struct page *page);
void page_oom(struct page *page);
void page_stalls(struct page *page);

void page_tools(struct page *page);
void page_gpus(struct page *page);
void page_gpus_opened(struct page *page); /* one sentence */
void page_containers(struct page *page);
void page_steps(struct page *page);
void page_nodes(struct page *page);

/* Prints which nodes did most, least and nothing. */
void page_balance(struct page *page);

/* Prints what is not known: at the top (incomplete), or at the end (gaps). */
void page_incomplete(struct page *page);
void page_gaps(struct page *page);

#endif
