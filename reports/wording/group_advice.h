/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advises what is enough for all tasks of an array, or for all jobs of a rule. */
#ifndef STINT_GROUP_ADVICE_H
#define STINT_GROUP_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/conf.h"
#include "reports/read/summary.h"
#include "reports/terminal/page_lines.h"

#define GROUP_REASON_TEXT 512

struct group_advice {
	double value; /* NAN: no advice */
	char reason[GROUP_REASON_TEXT];
};

struct group_advices {
	struct group_advice memory; /* bytes per node */
	struct group_advice cpus;
	struct group_advice time; /* seconds */
	bool one_task; /* the line also needs --ntasks=1: otherwise each task would get this many CPUs */
};

/*
 * Fills @advices with what is enough for all of @rows.
 * If a job did not complete, does not advise less than these jobs asked for.
 * @who: the word for one row: "task".
 */
void group_advise(const struct summary *rows, size_t count, const struct conf *conf, const char *who,
		  struct group_advices *advices);

/* Returns why there is no advice for @rows, the tasks of one array. Call only if there is no advice. */
const char *group_silence(const struct summary *rows, size_t count, const struct conf *conf);

/* Writes the line that asks for the CPUs in @advices. */
void group_write_cpus(const struct group_advices *advices, char *line, size_t size);

/* Prints lines to paste for @rows, the tasks of one array, with reasons. If there are no lines, prints why. */
void group_print_advice(struct page *page, const struct summary *rows, size_t count, const struct conf *conf);

#endif
