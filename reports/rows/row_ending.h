/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_ROW_ENDING_H
#define STINT_ROW_ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/read/summary.h"

enum row_ending { ROW_COMPLETED, ROW_FAILED, ROW_CANCELLED, ROW_RUNS, ROW_WAITS, ROW_UNKNOWN, ROW_ENDINGS };

enum row_ending row_ending_of(const struct summary *row);

bool row_waits_together(const struct summary *row);

/* Returns how many jobs @row stands for. */
int64_t row_jobs(const struct summary *row);

#endif
