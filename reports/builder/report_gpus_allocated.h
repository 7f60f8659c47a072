/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_REPORT_GPUS_ALLOCATED_H
#define STINT_REPORT_GPUS_ALLOCATED_H

#include "reports/model/report.h"
#include "reports/records/record.h"

/*
 * Sets allocated.gpus and allocated.gpus_allocated of @report, from Slurm's answer @slurm and from the @records.
 * While a job runs, Slurm's answer has the indexes of all nodes. At the job's end, the epilog of each node has its own.
 */
void gpus_allocated_put(const struct record_slurm_job *slurm, const struct record *const records[], size_t count,
			struct report *report);

#endif
