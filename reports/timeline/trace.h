/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report in the Trace Event format, which Perfetto and chrome://tracing can open. */
#ifndef STINT_TRACE_H
#define STINT_TRACE_H

#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"

/*
 * Writes @report as one JSON object:
 *
 * - A node is a "process" (pid 1, 2...), and a lane of the node is a "thread".
 * - A lane is for one process of the job, or for bursts. Viewers find the name of a lane by the tid alone,
 *   so no two lanes have the same tid, not even on different nodes.
 * - An entry of the timeline is one complete event ("X"). Events of a lane never overlap.
 * - An event has the report's exact wall time. Its start may be up to a millisecond late,
 *   because the report has whole milliseconds.
 * - A burst lasts from its first run's start to its last run's end.
 * - Series are counters ("C"). Out-of-memory kills and findings are instants ("i").
 * - A finding has no time, so it is placed at the job's end.
 *
 * Times are whole microseconds since otherData.start, where the report begins.
 *
 * Returns 0; -1 with @err set if out of memory. The caller must check @out for write errors.
 */
int trace_write(const struct report *report, FILE *out, struct error *err);

#endif
