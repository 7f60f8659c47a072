/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job's GPUs did. */
#ifndef STINT_REPORT_GPUS_H
#define STINT_REPORT_GPUS_H

#include "reports/records/making.h"
#include "reports/records/merge.h"

/*
 * Lists the GPUs on which processes of the job were seen, with what the vendor's library said.
 *
 * @records_missing: some nodes of the job have no record
 * @allocated: how many GPUs Slurm gave the job; negative: none that it knows of. With GPUs, adds a gap "gpus" if what some
 * of them did is not known.
 */
void gpus_put(const struct record *const records[], size_t count, bool records_missing, const struct merge_script *script,
	      int64_t allocated, struct making *making);

#endif
