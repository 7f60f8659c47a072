/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process of a failed job it was that took the job with it. */
#ifndef STINT_CULPRIT_H
#define STINT_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct culprit {
	const struct report_entry *entry; /* of the report's timeline, borrowed; NULL: it is not known */
	const struct report_entry *engine; /* failed because of it, with a code of its own; NULL: none did */
	const struct report_entry *before; /* failed right before it, a shell, ended with a code of its own; NULL: none did */
	const char *went_on; /* the last command that the job script ran after it, borrowed; NULL: none */
	bool script; /* it is the job script itself */
	bool batch;  /* the job has a script */
};

/*
 * Finds it: from the job script downwards, the child that ended last with the same exit code, as shells pass it on. Below srun
 * these are the tasks of its step, and so they are in a job without a script; below mpirun and the like the ranks (ranks.h). A
 * child that ended otherwise did not end its parent, so it is never named, unless the parent only passes on how others ended.
 * Neither is one that may have answered a question (grep), if the script went on.
 *
 * @code: the job's exit code; 128 and the signal where one ended the job's script
 */
struct culprit culprit_find(const struct report *report, int64_t code);

/*
 * Returns what made @entry, of the report's timeline, fail: the child that ended last with the same code, and so on. Below what only
 * passes on how others ended (make, mpirun, xargs), it is a child that failed, whatever its code. @entry, if nothing did.
 *
 * @engine: gets the last one above it that ended with a code of its own; left as it is, if there is none. May be NULL.
 */
const struct report_entry *culprit_below(const struct report *report, const struct report_entry *entry,
					 const struct report_entry **engine);

/*
 * Returns the last command that @shell, of the report's timeline, ran before it ended, if that failed, was no shell, and its exit
 * code was no answer, as in sh -c 'solve || exit 3'; NULL: else. Borrowed.
 */
const struct report_entry *culprit_last_command(const struct report *report, const struct report_entry *shell);

/*
 * Returns the process that the program of @entry, of the report's timeline, had forked and that failed last before @entry ended: a
 * worker of a pool. NULL: there is none, it ran another program, or @entry is a shell. Borrowed. @entry may be NULL.
 */
const struct report_entry *culprit_fork(const struct report *report, const struct report_entry *entry);

/* Returns the first child of @parent that a process above it ended, so that a shell has @code of it; NULL: none. Borrowed. */
const struct report_entry *culprit_dismissed(const struct report *report, const struct report_entry *parent, int64_t code);

/*
 * Returns true if the job's @script, an entry, is a shell's that ended with an exit code that no other process of the job can have
 * caused.
 */
bool culprit_is_shells_own(const struct report *report, const struct report_entry *script);

/* Returns the entry of the job script's last image; NULL: it runs still, or the report does not say. Borrowed. */
const struct report_entry *culprit_script(const struct report *report);

/* Finds when the job script ended, in nanoseconds since 1970. Returns false, with @end_ns unset, if the report does not say. */
bool culprit_script_end(const struct report *report, int64_t *end_ns);

/*
 * Returns the name of the tool of the process that took the job with it, borrowed from @report; NULL: the job did not fail, or it is
 * not known.
 */
const char *culprit_tool(const struct report *report);

/* Which of the tools that failed is the one to name, the last first. */
enum culprit_rank {
	CULPRIT_LAUNCHER,  /* it ends as its tasks did */
	CULPRIT_ASKED,     /* its exit code may be an answer */
	CULPRIT_PASSES_ON, /* an engine, or a shell's script: what it had started may have failed */
	CULPRIT_BY_ITSELF,
	CULPRIT_OF_JOB, /* it took the job with it */
};

/* Returns the rank of @tool, one of a report's. @of_job: see culprit_tool() */
enum culprit_rank culprit_rank(const struct report_tool *tool, const char *of_job);

#endif
