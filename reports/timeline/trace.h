/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report in the Trace Event format, which Perfetto and chrome://tracing open. */
#ifndef STINT_TRACE_H
#define STINT_TRACE_H

#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"

/*
 * Writes @report, as one JSON object, event by event:
 *
 * - A node is a "process" (pid 1, 2...). Each of its lanes, for a process of the job or for bursts, is a "thread". No
 *   two lanes have the same tid, not even on different nodes: readers find names by the tid alone.
 * - Each entry of the timeline is one complete event ("X"). The events of a lane never overlap. Their wall times are
 *   the report's, to the microsecond; a burst lasts from its first run's start to its last run's end. For that, an
 *   event may start up to a millisecond late: the report's own times are no finer.
 * - The series are counters ("C"). Out-of-memory kills and findings are instants ("i"). A finding has no time, so it
 *   stands at the job's end.
 *
 * Times are whole microseconds since the beginning of what the report covers; otherData.start has that moment.
 *
 * Returns 0; -1 with @err set if memory is short. The caller checks @out for write errors.
 */
int trace_write(const struct report *report, FILE *out, struct error *err);

#endif
