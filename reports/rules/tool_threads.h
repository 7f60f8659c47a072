/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the tool of a job that had too many threads for its CPUs, or whose threads left them idle. Users can set their number by
 * the tool's option for threads, or by OMP_NUM_THREADS if a library that reads it was mapped.
 */
#ifndef STINT_TOOL_THREADS_H
#define STINT_TOOL_THREADS_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"
#include "reports/rules/sentence.h"

/* Returns the CPUs of one task: those of the node, or the task's part of the requested ones if several tasks share them. */
double tool_threads_cpus(const struct facts *facts);

/*
 * Returns the tool whose average process alone had more busy threads than a task had CPUs (borrowed). NULL: the threads belonged to
 * several processes or to a runtime that starts them by itself, were idle, or an interpreter runs them one at a time.
 */
const struct report_tool *tool_threads_crowding(const struct facts *facts);

/* Returns true if @tool waited at pipes for a significant part of its time, as a pipeline's programs do. */
bool tool_threads_piped(const struct report_tool *tool);

/*
 * Returns true if only as many threads were busy at once as a pipeline's programs explain. Each tool that waited at pipes kept at
 * most two threads busy, or no more than the CPUs, and without these tools the busy threads were no more than the CPUs. A pipeline
 * has as many of these threads as programs, and no option reduces that.
 *
 * The same holds for a shell and the short programs that it runs, none of which kept more than one thread busy, if others starved
 * the job: these programs pile up then.
 */
bool tool_threads_of_pipeline(const struct facts *facts);

/*
 * Returns the interpreter of @tool (borrowed) if it runs one of its threads at a time (Python, Ruby), and no library was mapped that
 * computes in threads of its own; else NULL.
 */
const char *tool_threads_turns(const struct report_tool *tool);

/*
 * Returns true if the busy threads were no more than the CPUs, counting one thread for each process of an interpreter that runs one
 * thread at a time.
 */
bool tool_threads_in_turns(const struct facts *facts);

/*
 * Returns the tool that used the most CPU time (borrowed), if one of its processes had several threads, so that its option for
 * threads was used. NULL: that is not so or not known, or a runtime or library started these threads by itself. The latter is
 * assumed if they waited mostly for events and timers, or if the tool forked processes, as a pool does.
 */
const struct report_tool *tool_threads_idle(const struct facts *facts);

/*
 * Returns what starts as many threads in @tool as OMP_NUM_THREADS says: "an OpenMP runtime", "a BLAS library"; NULL: nothing, as
 * far as is known.
 */
const char *tool_threads_runtime(const struct report_tool *tool);

/* Appends "NAME had N threads" to @text. */
void tool_threads_name(const struct report_tool *tool, char text[SENTENCE_TEXT]);

#endif
