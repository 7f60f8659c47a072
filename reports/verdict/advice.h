/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines to paste into the job script, each with its reason. If the evidence is thin, there is no line. */
#ifndef STINT_ADVICE_H
#define STINT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends all advice to @report. If the job has no script, the lines are without #SBATCH. Each piece of advice also has its line's
 * number as a value; advice on memory by CPU has the amount on a node, too.
 */
void advice_put(const struct facts *facts, struct report *report);

/*
 * Returns the memory to ask for on a node if such a job used @most bytes: advice_factor times that, rounded up.
 */
double advice_memory(const struct rules *rules, double most);

/*
 * Returns true if facts.sized_tool rules out advice to ask for less memory: with even a little less, the tool could not have
 * what it used.
 */
bool advice_held_by_tool(const struct facts *facts);

/*
 * Returns the time limit to ask for, in seconds, if a job took @elapsed_s, and its limit @limit_s is too close to
 * that or far too long; NAN: the limit may stay.
 */
double advice_time_limit(const struct rules *rules, double elapsed_s, double limit_s);

/*
 * Writes the sentence that says how advice_time_limit() comes from @elapsed_s. Returns @text.
 */
#define ADVICE_SENTENCE 64
const char *advice_time_sentence(const struct rules *rules, double elapsed_s, char text[ADVICE_SENTENCE]);

/* Returns whether the job requested memory per CPU. @memory_source is the report's requested.memory_source, or NULL. */
bool advice_is_per_cpu(const char *memory_source);

/*
 * Returns the end of a reason whose --mem replaces another option; "" if it replaces none. Slurm refuses --mem and
 * --mem-per-cpu together.
 *
 * @memory_source: the report's requested.memory_source; may be NULL
 */
const char *advice_in_place(const char *memory_source);

/*
 * Returns whether lines for the job of @report ask for memory per CPU, as the job did. A single task runs on one node
 * only: there --mem is exact, whatever the number of CPUs. Slurm may pack several tasks differently next time.
 */
bool advice_memory_by_cpu(const struct report *report);

/* As advice_memory_by_cpu(), from what the job requested. */
bool advice_is_by_cpu(const struct report_requested *requested);

/* Returns the srun option by which steps asked for their own memory. If the job has its memory per CPU, either of two is possible. */
const char *advice_option_of_steps(const struct facts *facts);

/*
 * Each function writes a line to paste into @line: for @bytes on each node, for @bytes for each CPU, for @cpus for
 * each task, or for a time limit.
 *
 * @command: the line's first word, "#SBATCH" or "srun"
 * @before: other options, each with a space after it; or ""
 */
void advice_write_memory(double bytes, const char *command, char *line, size_t size);
void advice_write_memory_per_cpu(double bytes, char *line, size_t size);
void advice_write_cpus(double cpus, const char *before, char *line, size_t size);
void advice_write_time(double seconds, char *line, size_t size);

#endif
