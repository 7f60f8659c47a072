/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines to paste into the job script, each with its reason. Where the evidence is thin, there is none. */
#ifndef STINT_ADVICE_H
#define STINT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

/*
 * Appends all advice to @report. Its lines are without #SBATCH if the job has no script. Each has the number that it asks for; one for
 * memory by CPU has that on a node, too.
 */
void advice_put(const struct facts *facts, struct report *report);

/*
 * Returns the memory to ask for on a node where a job like it used @most bytes: advice_factor times that, rounded up.
 */
double advice_memory(const struct rules *rules, double most);

/*
 * Returns true if there is no advice to ask for less memory because of facts.sized_tool: with hardly less, it could not have
 * what it used.
 */
bool advice_held_by_tool(const struct facts *facts);

/*
 * Returns the time limit to ask for, in seconds, where a job took @elapsed_s, and its limit @limit_s is too near to
 * that or far too long; NAN: the limit may stay.
 */
double advice_time_limit(const struct rules *rules, double elapsed_s, double limit_s);

/*
 * Writes the sentence that says how advice_time_limit() comes from @elapsed_s. Returns @text.
 */
#define ADVICE_SENTENCE 64
const char *advice_time_sentence(const struct rules *rules, double elapsed_s, char text[ADVICE_SENTENCE]);

/* Whether memory was requested for each CPU: @memory_source is the report's requested.memory_source, or NULL. */
bool advice_is_per_cpu(const char *memory_source);

/*
 * Returns what a reason has at its end where --mem stands in the place of another option; else "". Slurm refuses --mem
 * and --mem-per-cpu together.
 *
 * @memory_source: the report's requested.memory_source; may be NULL
 */
const char *advice_in_place(const char *memory_source);

/*
 * Returns whether lines for the job of @report ask for memory by CPU, as it did. One task can be on one node only: there
 * --mem is exact, whatever becomes of the CPUs. Several tasks may be packed otherwise next time.
 */
bool advice_memory_by_cpu(const struct report *report);

/* The same, of what it requested. */
bool advice_is_by_cpu(const struct report_requested *requested);

/* Returns the option of srun by which steps asked for their own memory: where the job has it by the CPU, two are possible. */
const char *advice_option_of_steps(const struct facts *facts);

/*
 * Each writes a line to paste into @line: for @bytes on each node, for @bytes for each CPU, for @cpus of a task, for a
 * time limit.
 *
 * @command: what the line is for, "#SBATCH" or "srun"
 * @before: other options, each with a space behind; ""
 */
void advice_write_memory(double bytes, const char *command, char *line, size_t size);
void advice_write_memory_per_cpu(double bytes, char *line, size_t size);
void advice_write_cpus(double cpus, const char *before, char *line, size_t size);
void advice_write_time(double seconds, char *line, size_t size);

#endif
