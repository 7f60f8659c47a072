/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of workflows by their process or rule: what all jobs of one took, and what it should ask for. */
#ifndef STINT_WORKFLOW_TABLE_H
#define STINT_WORKFLOW_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "collector/common/conf.h"
#include "reports/row.h"
#include "reports/terminal.h"

/*
 * Prints a table with a line for each process, rule or group that @rows are jobs of, in the order of their first jobs,
 * and below it what to paste into the workflow. Of jobs that are none's it says how many there are.
 *
 * @rows: sorted here
 */
void workflow_table_print(struct row *rows, size_t count, const struct conf *conf, const struct page_options *options,
			  FILE *out);

/*
 * Prints the same as a JSON array, or as CSV; numbers that are not known are null, or empty.
 */
void workflow_table_print_json(struct row *rows, size_t count, const struct conf *conf, FILE *out);
void workflow_table_print_csv(struct row *rows, size_t count, const struct conf *conf, FILE *out);

#endif
