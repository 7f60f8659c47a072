/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process of a failed job it was that took the job with it. */
#ifndef STINT_CULPRIT_H
#define STINT_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

struct culprit {
	struct json_object *entry; /* of the report's timeline, borrowed; NULL: it is not known */
	struct json_object *engine; /* failed because of it, with a code of its own; NULL: none did */
	struct json_object *before; /* the program that failed right before it, a shell, ended with a code of its own; NULL: none did */
	const char *went_on; /* the last command that the job script ran after it, borrowed; NULL: none */
	bool script; /* it is the job script itself */
	bool batch;  /* the job has a script */
};

/*
 * Finds it: from the job script downwards, the child that ended last with the same exit code, as shells pass it on.
 * Below srun these are the tasks of its step, and so they are in a job without a script; below mpirun and the like the ranks (ranks.h). A child that ended otherwise
 * did not end its parent, so it is never named, unless the parent only passes on how others ended. Neither is one that may have answered
 * a question (grep), if the script went on.
 *
 * @code: the job's exit code; 128 and the signal where one ended the job's script
 */
struct culprit culprit_find(struct json_object *report, int64_t code);

/*
 * Returns what made @entry, of the report's timeline, fail: the child that ended last with the same code, and so on. Below what only
 * passes on how others ended (make, mpirun, xargs), it is a child that failed, whatever its code. @entry, if nothing did.
 *
 * @engine: gets the last one above it that ended with a code of its own; left as it is, if there is none. May be NULL.
 */
struct json_object *culprit_below(struct json_object *report, struct json_object *entry, struct json_object **engine);

/*
 * Returns the last command that @shell, of the report's timeline, ran before it ended, if that failed, was no shell, and its exit
 * code was no answer, as in sh -c 'solve || exit 3'; NULL: else. Borrowed.
 */
struct json_object *culprit_last_command(struct json_object *report, struct json_object *shell);

/*
 * Returns the process that the program of @entry, of the report's timeline, had forked and that failed last before @entry ended: a
 * worker of a pool. NULL: there is none, it ran another program, or @entry is a shell. Borrowed. @entry may be NULL.
 */
struct json_object *culprit_fork(struct json_object *report, struct json_object *entry);

/* Returns the first child of @parent that a process above it ended, so that a shell has @code of it; NULL: none. Borrowed. */
struct json_object *culprit_dismissed(struct json_object *report, struct json_object *parent, int64_t code);

/* Returns true if the job's @script, an entry, is a shell's that ended with an exit code that no other process of the job can have caused. */
bool culprit_is_shells_own(struct json_object *report, struct json_object *script);

/* Returns the entry of the job script's last image; NULL: it runs still, or the report does not say. Borrowed. */
struct json_object *culprit_script(struct json_object *report);

/* Finds when the job script ended, in nanoseconds since 1970. Returns false, with @end_ns unset, if the report does not say. */
bool culprit_script_end(struct json_object *report, int64_t *end_ns);

/*
 * Returns the name of the tool of the process that took the job with it, borrowed from @report; NULL: the job did not fail, or it is
 * not known.
 */
const char *culprit_tool(struct json_object *report);

/* Which of the tools that failed is the one to name, the last first. */
enum culprit_rank {
	CULPRIT_LAUNCHER,  /* it ends as its tasks did */
	CULPRIT_ASKED,     /* its exit code may be an answer */
	CULPRIT_PASSES_ON, /* an engine, or a shell's script: what it had started may have failed */
	CULPRIT_BY_ITSELF,
	CULPRIT_OF_JOB, /* it took the job with it */
};

/* Returns the rank of @tool, one of a report's. @of_job: see culprit_tool() */
enum culprit_rank culprit_rank(struct json_object *tool, const char *of_job);

#endif
