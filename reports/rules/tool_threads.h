/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of a job's tools has threads that are too many for its CPUs, or that left them idle. It can be told how many to start by
 * its option for threads, or by OMP_NUM_THREADS if a library that reads this was mapped.
 */
#ifndef STINT_TOOL_THREADS_H
#define STINT_TOOL_THREADS_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"
#include "reports/rules/sentence.h"

/* Returns the CPUs of one task: those of the node, or its part of the requested ones where several tasks share them. */
double tool_threads_cpus(const struct facts *facts);

/*
 * Returns the tool whose average process alone had more busy threads than a task had CPUs (borrowed); NULL when the threads were of
 * several processes, idle, of a runtime that has them by itself, or of an interpreter that runs one at a time.
 */
const struct report_tool *tool_threads_crowding(const struct facts *facts);

/* Returns true when @tool waited at pipes for a part of its time that matters, as a pipeline's programs do. */
bool tool_threads_piped(const struct report_tool *tool);

/*
 * Returns true when no more than a pipeline's programs were busy at once: each of those that waited at pipes kept two threads busy at
 * most, or no more than the CPUs, and without those, the busy threads were no more than the CPUs. There are as many of them as
 * programs in the pipeline, and no option makes that fewer. The same holds for a shell and what it runs for moments, none of which kept
 * more than one thread busy, if others starved the job: these pile up then.
 */
bool tool_threads_of_pipeline(const struct facts *facts);

/*
 * Returns the interpreter of @tool (borrowed) if it runs one of its threads at a time (Python, Ruby), and no library was mapped that
 * computes in threads of its own; else NULL.
 */
const char *tool_threads_turns(const struct report_tool *tool);

/*
 * Returns true when the busy threads were no more than the CPUs, had each process of an interpreter that runs one thread at a time had one.
 */
bool tool_threads_in_turns(const struct facts *facts);

/*
 * Returns the tool that used the most CPU time (borrowed), if one of its processes had several threads, so that its option for
 * threads was used; NULL if not, if that is not known, or if a runtime or library has these threads by itself: most of what they waited
 * for were events and timers, or the tool forked processes, as a pool does.
 */
const struct report_tool *tool_threads_idle(const struct facts *facts);

/*
 * Returns what starts threads in @tool, as many as OMP_NUM_THREADS says: "an OpenMP runtime", "a BLAS library"; NULL: nothing, as
 * far as is known.
 */
const char *tool_threads_runtime(const struct report_tool *tool);

/* Appends "NAME had N threads" to @text. */
void tool_threads_name(const struct report_tool *tool, char text[SENTENCE_TEXT]);

#endif
