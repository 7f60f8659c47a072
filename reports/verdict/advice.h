/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes lines to paste into the job script, each with its reason. Without enough evidence there is no line. */
#ifndef STINT_ADVICE_H
#define STINT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends all advice to @report. A job without a script gets lines without #SBATCH.
 * Each struct report_advice has a line, and the number in this line.
 * With memory per CPU, it also has the memory of a node.
 */
void advice_put(const struct facts *facts, struct report *report);

/* Returns the bytes to ask for on a node: @most times the rule advice_factor, rounded up. */
double advice_memory(const struct rules *rules, double most);

/*
 * Returns true if the job must not be advised to ask for less memory.
 * The program facts.sized_tool sizes itself by the available memory, and would become smaller.
 */
bool advice_held_by_tool(const struct facts *facts);

/*
 * Returns the time limit to ask for, in seconds; NAN if the job may keep @limit_s.
 * A job may not keep a limit that is far too long for @elapsed_s, or too close to @elapsed_s.
 */
double advice_time_limit(const struct rules *rules, double elapsed_s, double limit_s);

/* Writes how advice_time_limit() computes the limit from @elapsed_s. Returns @text. */
#define ADVICE_SENTENCE 64
const char *advice_time_sentence(const struct rules *rules, double elapsed_s, char text[ADVICE_SENTENCE]);

/* Returns true if the job requested memory per CPU. @memory_source: requested.memory_source, or NULL. */
bool advice_is_per_cpu(const char *memory_source);

/*
 * Returns a sentence for a line where --mem replaces --mem-per-cpu; else "".
 * Slurm refuses --mem and --mem-per-cpu together.
 * @memory_source: requested.memory_source, or NULL.
 */
const char *advice_in_place(const char *memory_source);

/*
 * Returns true if lines for the job must ask for memory per CPU, as the job did.
 * A single task runs on one node, so --mem is exact for it. Slurm may pack several tasks differently next time.
 */
bool advice_memory_by_cpu(const struct report *report);

/* Works like advice_memory_by_cpu(), for a request without a report. */
bool advice_is_by_cpu(const struct report_requested *requested);

/* Returns the srun option by which steps asked for memory: a text with two options if memory is per CPU. */
const char *advice_option_of_steps(const struct facts *facts);

/*
 * Write a line to paste: memory on each node, memory for each CPU, CPUs for each task, or a time limit.
 * @command: the first word, "#SBATCH" or "srun".
 * @before: other options, each with a space after it; or "".
 */
void advice_write_memory(double bytes, const char *command, char *line, size_t size);
void advice_write_memory_per_cpu(double bytes, char *line, size_t size);
void advice_write_cpus(double cpus, const char *before, char *line, size_t size);
void advice_write_time(double seconds, char *line, size_t size);

#endif
