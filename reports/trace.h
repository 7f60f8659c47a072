/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report in the Trace Event format, which Perfetto and chrome://tracing open. */
#ifndef STINT_TRACE_H
#define STINT_TRACE_H

#include <stdio.h>

#include <json-c/json.h>

#include "collector/common/error.h"

/*
 * Writes @report, as report_load() took it, as one JSON object, event by event:
 *
 * - A node is a "process" (pid 1, 2...), and a lane of it, which is a process of the job's or one of
 *   bursts, a "thread". No two lanes have the same tid, on whatever node: readers take names by the tid alone.
 * - Each entry of the timeline is one complete event ("X"). Those of one lane never overlap, and
 *   have the wall time that the report has, to the microsecond; a burst lasts from its first run's
 *   start to its last one's end. To that end an event may start up to a millisecond late, which is what
 *   the report's own times leave open.
 * - The series are counters ("C"); what the kernel killed for want of memory, and findings, are instants ("i").
 *   A finding has no time: it stands at the job's end.
 *
 * Times are whole microseconds since the begin of what the report tells of; otherData.start says when that was.
 *
 * Returns 0; -1 with @err set when memory is short. Whether @out took it all is its owner's to ask.
 */
int trace_write(struct json_object *report, FILE *out, struct error *err);

#endif
