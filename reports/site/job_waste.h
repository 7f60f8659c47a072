/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of its allocation a job did not use, and for which causes (docs/summary.md). The causes add up to the waste.
 */
#ifndef STINT_JOB_WASTE_H
#define STINT_JOB_WASTE_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"
#include "reports/site/job_row.h"

#define MIB 1048576.0

/* Returns a whole number; JOB_UNKNOWN if @value is NAN, negative or too large. */
int64_t job_measure(double value);

/* Fills JOB_CPU_GIVEN to JOB_CPU_JUDGED. All other fields must be filled. */
void job_waste_cpu(struct job_row *row, const struct facts *facts);

/* Fills JOB_MEM_GIVEN to JOB_MEM_RESERVED. The nodes must be filled. */
void job_waste_memory(struct job_row *row, const struct report *report);

#endif
