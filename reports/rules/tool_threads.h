/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the tool that had too many threads for its CPUs, or whose threads left CPUs idle.
 * Users set the number of threads by an option, or by OMP_NUM_THREADS if a library reads this variable.
 */
#ifndef STINT_TOOL_THREADS_H
#define STINT_TOOL_THREADS_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"
#include "reports/rules/sentence.h"

/* Returns the CPUs of one task: the node's CPUs, or the task's part of the requested CPUs. */
double tool_threads_cpus(const struct facts *facts);

/*
 * Returns the tool whose processes had on average more busy threads than a task had CPUs, borrowed.
 * Returns NULL if the threads were idle, or if they belonged to several processes.
 * Returns NULL if a runtime started the threads by itself, or if an interpreter runs the threads one at a time.
 */
const struct report_tool *tool_threads_crowding(const struct facts *facts);

/* Returns true if @tool waited at pipes for much of its time, as in a pipeline. */
bool tool_threads_piped(const struct report_tool *tool);

/*
 * Returns true if the programs of a pipeline explain how many threads were busy at once.
 * No option sets how many programs a pipeline has.
 *
 * Two conditions must be true:
 *  - Each tool that waited at pipes kept at most two threads busy, or no more threads than there are CPUs.
 *  - All other tools together kept no more threads busy than there are CPUs.
 *
 * If other work starved the job, a shell and its short programs also count as a pipeline.
 */
bool tool_threads_of_pipeline(const struct facts *facts);

/*
 * Returns the interpreter of @tool, borrowed, if the interpreter runs one thread at a time (Python, Ruby).
 * Returns NULL if a library with threads of its own was mapped.
 */
const char *tool_threads_turns(const struct report_tool *tool);

/*
 * Some interpreters run only one of their threads at a time (Python, Ruby).
 * Counts each process of these interpreters as one busy thread.
 * Returns true if the busy threads are then too few for a crowd.
 */
bool tool_threads_in_turns(const struct facts *facts);

/*
 * Returns the tool with the most CPU time, borrowed, if the user gave this tool several threads.
 * Returns NULL if a runtime or library started the threads, or if their number is not known.
 * Threads of a library mostly wait for events and timers, or watch forked processes.
 */
const struct report_tool *tool_threads_idle(const struct facts *facts);

/*
 * Returns what starts OMP_NUM_THREADS threads in @tool: "an OpenMP runtime", "a BLAS library".
 * Returns NULL if nothing is known to do so.
 */
const char *tool_threads_runtime(const struct report_tool *tool);

/* Appends "NAME had N threads" to @text. */
void tool_threads_name(const struct report_tool *tool, char text[SENTENCE_TEXT]);

#endif
