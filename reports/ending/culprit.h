/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the process that made a job fail. */
#ifndef STINT_CULPRIT_H
#define STINT_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct culprit {
	const struct report_entry *entry; /* borrowed from the report's timeline; NULL if not known */
	const struct report_entry *engine; /* a program above the process, which failed because of the process, but ended with
					    * another code; NULL if there is none */
	const struct report_entry *before; /* if the process is a shell that ended with a code of its own, the command that failed
					    * right before; NULL if none did */
	const char *went_on; /* the last command that the job script ran after the end of the process; borrowed; NULL if none */
	bool script; /* the process is the job script itself */
	bool batch;  /* the job has a script */
};

/*
 * Finds the process that made the job fail. Starts at the job script, and follows the child that ended last with the
 * same exit code, because shells pass that code on. Below srun, and in a job without a script, follows the tasks of
 * the step. Below mpirun and similar launchers, follows the ranks (ranks.h).
 *
 * Never names a child that ended with another code than its parent, because that child did not end its parent. The
 * exception is a parent that only passes on how its children ended. Nor names a child whose exit code may be the
 * answer to a question (grep), if the script continued.
 *
 * @code: the job's exit code. If a signal ended the job's script, 128 plus the signal
 */
struct culprit culprit_find(const struct report *report, int64_t code);

/*
 * Returns the process that made @entry fail. @entry is in the report's timeline. The process is the child that ended
 * last with the same code, then the child of that child, and so on. Below a program that only passes on how others
 * ended (make, mpirun, xargs), it is a child that failed with any code. Returns @entry if no child made @entry fail.
 *
 * @engine: set to the lowest program above the result that ended with a code of its own; unchanged if there is none.
 * May be NULL
 */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine);

/*
 * Returns the last command that @shell ran before it ended, as in sh -c 'solve || exit 3'. @shell is in the report's
 * timeline. The result is borrowed. Returns NULL unless the command failed, was not a shell, and had an exit code
 * that could not be an answer.
 */
const struct report_entry *culprit_last_command(const struct report *report, const struct report_entry *shell);

/*
 * Returns the failed worker of a pool; borrowed. A worker is a process that the program of @entry has forked and that
 * runs no other program. @entry is in the report's timeline. If several workers failed before @entry ended, returns
 * the last one. Returns NULL if there is none, or if @entry is a shell. @entry may be NULL.
 */
const struct report_entry *culprit_fork(const struct report *report, const struct report_entry *entry);

/*
 * Returns the first child of @parent that a process above that child ended, and whose end gives a shell the exit code
 * @code. Returns NULL if there is none. The result is borrowed.
 */
const struct report_entry *culprit_dismissed(const struct report *report, const struct report_entry *parent, int64_t code);

/*
 * Returns true if a shell ran the job's @script, an entry of the timeline, and ended with an exit code that no other
 * process of the job can have caused.
 */
bool culprit_is_shells_own(const struct report *report, const struct report_entry *script);

/*
 * Returns the timeline's entry of the last image of the job script; borrowed. Returns NULL if the script still runs,
 * or if the report does not have the entry.
 */
const struct report_entry *culprit_script(const struct report *report);

/* Finds when the job script ended, in nanoseconds since 1970. Returns false, and leaves @end_ns unset, if that is not known. */
bool culprit_script_end(const struct report *report, int64_t *end_ns);

/*
 * Returns the name of the tool whose process made the job fail; borrowed from @report. Returns NULL if the job did
 * not fail, or if the process is not known.
 */
const char *culprit_tool(const struct report *report);

/* Ranks of failed tools, lowest first. Findings name the tool with the highest rank. */
enum culprit_rank {
	CULPRIT_LAUNCHER,  /* a launcher, which ends in the way that its tasks ended */
	CULPRIT_ASKED,     /* a tool whose exit code may be the answer to a question */
	CULPRIT_PASSES_ON, /* an engine or a shell script; a program that it started may be what failed */
	CULPRIT_BY_ITSELF,
	CULPRIT_OF_JOB, /* the tool that made the job fail */
};

/* Returns the rank of @tool, a tool of a report. @of_job: the result of culprit_tool() */
enum culprit_rank culprit_rank(const struct report_tool *tool, const char *of_job);

#endif
