/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the tool of a job that had too many threads for its CPUs, or whose threads left the CPUs idle. Users can set
 * the number of threads by an option of the tool. If a library that reads OMP_NUM_THREADS was mapped, they can set this
 * variable.
 */
#ifndef STINT_TOOL_THREADS_H
#define STINT_TOOL_THREADS_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"
#include "reports/rules/sentence.h"

/*
 * Returns the CPUs of one task. These are the CPUs of the node, or if several tasks share them, the task's part of the
 * requested CPUs.
 */
double tool_threads_cpus(const struct facts *facts);

/*
 * Returns the tool whose average process alone had more busy threads than a task had CPUs, borrowed. Returns NULL if
 * the threads belonged to several processes, or were idle. Also returns NULL if a runtime started the threads by
 * itself, or if an interpreter runs the threads one at a time.
 */
const struct report_tool *tool_threads_crowding(const struct facts *facts);

/* Returns true if @tool waited at pipes for a significant part of its time, as a pipeline's programs do. */
bool tool_threads_piped(const struct report_tool *tool);

/*
 * Returns true if the programs of a pipeline explain how many threads were busy at once. Two conditions must hold. Each
 * tool that waited at pipes kept at most two threads busy, or no more than there are CPUs. All other tools together
 * kept no more threads busy than there are CPUs. No option reduces such threads, because their number is the number of
 * programs in the pipeline.
 *
 * If other work starved the job, also returns true for a shell and the short programs that it runs, unless one of these
 * kept more than one thread busy. Such programs pile up when the CPUs are taken.
 */
bool tool_threads_of_pipeline(const struct facts *facts);

/*
 * Returns the interpreter of @tool, borrowed, if it runs one of its threads at a time (Python, Ruby), and no library
 * was mapped that computes in threads of its own. Otherwise returns NULL.
 */
const char *tool_threads_turns(const struct report_tool *tool);

/*
 * Returns true if the busy threads were more than the CPUs only because of interpreters that run one thread at a time.
 * For this, each process of such an interpreter counts as one busy thread.
 */
bool tool_threads_in_turns(const struct facts *facts);

/*
 * Returns the tool that used the most CPU time, borrowed, if one of its processes had several threads. The tool's
 * option for threads was used then. Returns NULL otherwise, or if that is not known. Also returns NULL if a runtime or
 * library started these threads by itself. This is assumed if the threads waited mostly for events and timers, or if
 * the tool forked processes, as a pool does.
 */
const struct report_tool *tool_threads_idle(const struct facts *facts);

/*
 * Returns the name of what starts as many threads in @tool as OMP_NUM_THREADS says, such as "an OpenMP runtime" or "a
 * BLAS library". Returns NULL if nothing does, as far as is known.
 */
const char *tool_threads_runtime(const struct report_tool *tool);

/* Appends "NAME had N threads" to @text. */
void tool_threads_name(const struct report_tool *tool, char text[SENTENCE_TEXT]);

#endif
