/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the jobs of workflows by process or rule: what they used, and what to ask for. */
#ifndef STINT_WORKFLOW_TABLE_H
#define STINT_WORKFLOW_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "common/conf.h"
#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * Prints a line for each process, rule or group with jobs in @rows.
 * Then prints which jobs did not complete, and what to paste into the workflow.
 * @rows: sorted here.
 */
void workflow_table_print(struct summary *rows, size_t count, const struct conf *conf,
			  const struct page_options *options, FILE *out);

/* Prints only what to paste, if anything. @rows: sorted here. */
void workflow_table_print_advice(struct summary *rows, size_t count, const struct conf *conf,
				 const struct page_options *options, FILE *out);

/* Prints the table as a JSON array or as CSV. Unknown numbers: null in JSON, empty in CSV. */
void workflow_table_print_json(struct summary *rows, size_t count, const struct conf *conf, FILE *out);
void workflow_table_print_csv(struct summary *rows, size_t count, const struct conf *conf, FILE *out);

#endif
