/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the process that made a job fail. */
#ifndef STINT_CULPRIT_H
#define STINT_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct culprit {
	const struct report_entry *entry; /* borrowed from the timeline; NULL if unknown */
	const struct report_entry *engine; /* a program above entry that failed because of entry, with another code; NULL if none */
	/* the command that failed right before entry, if entry is a shell with a code of its own; else NULL */
	const struct report_entry *before;
	const char *went_on; /* the script's last command after the end of entry; borrowed; NULL if none */
	bool script;
	bool batch;
};

/*
 * Finds the process that made the job fail.
 *
 * Starts at the job script. Follows the child that ended last with the same exit code, because shells pass the code on.
 * Below srun, and without a script, follows the tasks of the step.
 * Below mpirun and similar launchers, follows ranks (ranks.h).
 *
 * A child with another code is not the reason why its parent failed, except below programs such as make.
 * A code that may answer a question (grep) does not count if the script went on.
 *
 * @code: the job's exit code, or 128 + the signal that ended the script.
 */
struct culprit culprit_find(const struct report *report, int64_t code);

/*
 * Returns the process that made @entry of the timeline fail. The result may be @entry itself.
 * Follows the child that ended last with the same code, and so on.
 * Below a program such as make, mpirun or xargs, a failed child counts even with another code.
 *
 * @engine: set to the lowest program above the result that ended with a code of its own. May be NULL.
 */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine);

/*
 * Returns the last command of @shell, borrowed, as in sh -c 'solve || exit 3'.
 * Returns NULL if the command did not fail, was a shell, or had an exit code that may be an answer.
 */
const struct report_entry *culprit_last_command(const struct report *report, const struct report_entry *shell);

/*
 * Returns the failed worker of a pool, borrowed. A worker is a fork that runs no other program.
 * If several workers failed, returns the last.
 * Returns NULL if no worker failed, or if @entry is a shell. @entry may be NULL.
 */
const struct report_entry *culprit_fork(const struct report *report, const struct report_entry *entry);

/*
 * Returns the first child of @parent that ended with @code, because a process above the child ended it.
 * Borrowed; NULL if there is none. @code: as a shell sees it in $?.
 */
const struct report_entry *culprit_dismissed(const struct report *report, const struct report_entry *parent, int64_t code);

/* Returns true if a shell ran @script and ended with a code that no other process can have caused. */
bool culprit_is_shells_own(const struct report *report, const struct report_entry *script);

/*
 * Returns the timeline's entry of the job script, borrowed. If the script's process ran exec, returns its last entry.
 * Returns NULL if the script still runs, or if the timeline does not have this entry.
 */
const struct report_entry *culprit_script(const struct report *report);

/* Finds when the job script ended, in nanoseconds since 1970. Returns false, with @end_ns unset, if unknown. */
bool culprit_script_end(const struct report *report, int64_t *end_ns);

/*
 * Returns the tool whose process made the job fail, borrowed.
 * Returns NULL if the job did not fail, or if the tool is not known.
 */
const char *culprit_tool(const struct report *report);

/* Ranks of failed tools. Findings name the tool with the highest rank. */
enum culprit_rank {
	CULPRIT_LAUNCHER,  /* ends as its tasks ended */
	CULPRIT_ASKED,     /* the exit code may be an answer */
	CULPRIT_PASSES_ON, /* an engine or a shell script: a program that it started may have failed */
	CULPRIT_BY_ITSELF,
	CULPRIT_OF_JOB, /* made the job fail */
};

/* @of_job: from culprit_tool(). */
enum culprit_rank culprit_rank(const struct report_tool *tool, const char *of_job);

#endif
