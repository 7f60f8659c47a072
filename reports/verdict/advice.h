/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes lines to paste into the job script, each with its reason. If the evidence is thin, there is no line. */
#ifndef STINT_ADVICE_H
#define STINT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends all advice to @report. If the job has no script, the lines do not begin with #SBATCH. Each piece of advice
 * also has the number in its line as a value. Advice on memory per CPU also has the amount of memory on a node.
 */
void advice_put(const struct facts *facts, struct report *report);

/*
 * Returns how many bytes to ask for on a node if a job used @most bytes. This is @most times the rule advice_factor,
 * rounded up.
 */
double advice_memory(const struct rules *rules, double most);

/*
 * Returns true if there must be no advice to ask for less memory, because facts.sized_tool sizes itself by the
 * available memory. With even a little less available memory, the tool could not use as much as it used.
 */
bool advice_held_by_tool(const struct facts *facts);

/*
 * Returns the time limit to ask for, in seconds, if a job took @elapsed_s, and its limit @limit_s is far too long or
 * too close to @elapsed_s. Returns NAN if the limit may stay.
 */
double advice_time_limit(const struct rules *rules, double elapsed_s, double limit_s);

/* Writes the sentence that says how advice_time_limit() computes the limit from @elapsed_s. Returns @text. */
#define ADVICE_SENTENCE 64
const char *advice_time_sentence(const struct rules *rules, double elapsed_s, char text[ADVICE_SENTENCE]);

/* Returns true if the job requested memory per CPU. @memory_source is the report's requested.memory_source, or NULL. */
bool advice_is_per_cpu(const char *memory_source);

/*
 * Returns a sentence for the reason of a line with --mem, if --mem replaces --mem-per-cpu; otherwise "". The sentence
 * says so, because Slurm refuses --mem and --mem-per-cpu together.
 *
 * @memory_source: the report's requested.memory_source; may be NULL
 */
const char *advice_in_place(const char *memory_source);

/*
 * Returns true if the lines for the job of @report must ask for memory per CPU, as the job did. A single task runs on
 * only one node, so --mem is exact for it, whatever the number of CPUs. If a job has several tasks, Slurm may pack them
 * differently next time.
 */
bool advice_memory_by_cpu(const struct report *report);

/* Like advice_memory_by_cpu(), but reads what the job requested instead of its whole report. */
bool advice_is_by_cpu(const struct report_requested *requested);

/*
 * Returns the srun option by which steps asked for their own memory. If the job has its memory per CPU, the steps may
 * have used either of two options, and the text names both.
 */
const char *advice_option_of_steps(const struct facts *facts);

/*
 * Each of these functions writes to @line a line that a user can paste. The line asks for @bytes on each node, for
 * @bytes for each CPU, for @cpus for each task, or for a time limit.
 *
 * @command: the line's first word, "#SBATCH" or "srun"
 * @before: other options, each with a space after it; or ""
 */
void advice_write_memory(double bytes, const char *command, char *line, size_t size);
void advice_write_memory_per_cpu(double bytes, char *line, size_t size);
void advice_write_cpus(double cpus, const char *before, char *line, size_t size);
void advice_write_time(double seconds, char *line, size_t size);

#endif
