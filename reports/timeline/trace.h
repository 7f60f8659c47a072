/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report in the Trace Event format, which Perfetto and chrome://tracing can open. */
#ifndef STINT_TRACE_H
#define STINT_TRACE_H

#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"

/*
 * Writes @report as one JSON object, event by event:
 *
 * - A node is a "process" (pid 1, 2...). Each lane of a node is a "thread". A lane is for a process of the job, or
 *   for bursts. No two lanes have the same tid, not even on different nodes, because programs that read traces find
 *   names by the tid alone.
 * - Each entry of the timeline is one complete event ("X"). The events of a lane never overlap. An event is exactly as
 *   long as the report's wall time, to the microsecond. A burst lasts from the start of its first run to the end of its
 *   last run. An event may start up to a millisecond late so that it does not overlap with the event before it, because
 *   the report's starts and ends are exact only to a millisecond.
 * - The series are counters ("C"). Out-of-memory kills and findings are instants ("i"). A finding has no time, so it
 *   is placed at the job's end.
 *
 * Times are whole microseconds since the beginning of what the report covers. otherData.start is that beginning.
 *
 * Returns 0; -1 with @err set if out of memory. The caller must check @out for write errors.
 */
int trace_write(const struct report *report, FILE *out, struct error *err);

#endif
