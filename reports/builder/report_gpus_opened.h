/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which devices of GPUs the job opened. */
#ifndef STINT_REPORT_GPUS_OPENED_H
#define STINT_REPORT_GPUS_OPENED_H

#include "reports/records/making.h"
#include "reports/records/merge.h"

/*
 * Lists the devices of GPUs that the job had open, if it has GPUs or opened one. Counts the GPUs among them.
 * Call after gpus_allocated_put().
 *
 * @records_missing: some nodes of the job have no record
 */
void gpus_opened_put(const struct record *const records[], size_t count, bool records_missing,
		     const struct merge_script *script, struct making *making);

#endif
