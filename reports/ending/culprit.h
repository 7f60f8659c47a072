/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the process that made a job fail. */
#ifndef STINT_CULPRIT_H
#define STINT_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct culprit {
	const struct report_entry *entry; /* borrowed from the report's timeline; NULL: not known */
	const struct report_entry *engine; /* a program above it that failed because of it, with a code of its own; NULL: none did */
	const struct report_entry *before; /* what failed right before it, a shell, ended with a code of its own; NULL: nothing did */
	const char *went_on; /* the last command that the job script ran after it, borrowed; NULL: none */
	bool script; /* it is the job script itself */
	bool batch;  /* the job has a script */
};

/*
 * Finds the culprit. It starts at the job script and follows the child that ended last with the same exit code, because shells pass
 * that code on. Below srun, and in a job without a script, it follows the tasks of the step; below mpirun and similar launchers,
 * the ranks (ranks.h). A child that ended otherwise did not end its parent, so it is never named, unless the parent only passes on
 * how others ended. A child that may have answered a question (grep) is not named either, if the script continued.
 *
 * @code: the job's exit code; 128 plus the signal if a signal ended the job's script
 */
struct culprit culprit_find(const struct report *report, int64_t code);

/*
 * Returns the process that made @entry, of the report's timeline, fail: the child that ended last with the same code, then the
 * child of that one, and so on. Below a program that only passes on how others ended (make, mpirun, xargs), it is a child that
 * failed, whatever its code. Returns @entry if no child made it fail.
 *
 * @engine: set to the last program above the result that ended with a code of its own; unchanged if there is none. May be NULL.
 */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine);

/*
 * Returns the last command that @shell, of the report's timeline, ran before it ended, as in sh -c 'solve || exit 3'. Borrowed.
 * NULL unless that command failed, was not a shell, and its exit code was not an answer.
 */
const struct report_entry *culprit_last_command(const struct report *report, const struct report_entry *shell);

/*
 * Returns a failed worker of a pool: the process that the program of @entry, of the report's timeline, forked, and that failed last
 * before @entry ended. NULL: there is none, it ran another program, or @entry is a shell. Borrowed. @entry may be NULL.
 */
const struct report_entry *culprit_fork(const struct report *report, const struct report_entry *entry);

/*
 * Returns the first child of @parent that a process above it ended and that gives a shell the exit code @code; NULL: none.
 * Borrowed.
 */
const struct report_entry *culprit_dismissed(const struct report *report, const struct report_entry *parent, int64_t code);

/*
 * Returns true if a shell ran the job's @script, an entry, and ended with an exit code that no other process of the job can have
 * caused.
 */
bool culprit_is_shells_own(const struct report *report, const struct report_entry *script);

/* Returns the entry of the job script's last image; NULL: the script still runs, or the report does not say. Borrowed. */
const struct report_entry *culprit_script(const struct report *report);

/* Finds when the job script ended, in nanoseconds since 1970. Returns false, with @end_ns unset, if the report does not say. */
bool culprit_script_end(const struct report *report, int64_t *end_ns);

/*
 * Returns the tool of the process that made the job fail, by name, borrowed from @report; NULL: the job did not fail, or the
 * process is not known.
 */
const char *culprit_tool(const struct report *report);

/* Ranks of failed tools, lowest first. The tool with the highest rank is named. */
enum culprit_rank {
	CULPRIT_LAUNCHER,  /* it ends as its tasks did */
	CULPRIT_ASKED,     /* its exit code may be an answer */
	CULPRIT_PASSES_ON, /* an engine or a shell script: a program that it started may have failed */
	CULPRIT_BY_ITSELF,
	CULPRIT_OF_JOB, /* it made the job fail */
};

/* Returns the rank of @tool, one of a report's. @of_job: see culprit_tool() */
enum culprit_rank culprit_rank(const struct report_tool *tool, const char *of_job);

#endif
