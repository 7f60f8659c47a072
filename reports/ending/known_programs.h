/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what the rules know about programs by name. This is little, because the rules judge a tool by what it did. */
#ifndef STINT_KNOWN_PROGRAMS_H
#define STINT_KNOWN_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* The parameter @name of each function is a tool's name, and may be NULL. "The program" is the program of that name. */

/* Returns true if the program starts a job's tasks, waits for them, and passes on what they print. */
bool programs_is_launcher(const char *name);

/* Returns true if the program runs other programs, and ends with a code of its own if one of them failed. */
bool programs_is_engine(const char *name);

/*
 * Returns true if the program is an engine or launcher, or if it runs one other program and ends as that program ends.
 */
bool programs_passes_on(const char *name);

/*
 * Returns true if @code says that the program ran all commands that it was given, and that some of these ended with a
 * code from 1 to 125.
 */
bool programs_counts_failures(const char *name, int64_t code);

/*
 * Returns the program's option that sets how much memory it may use, if the program without this option sizes itself by
 * the memory of the job or the node. Returns NULL if it does not, as far as is known. @part: set to the largest share
 * of that memory that the program uses
 */
const char *programs_memory_option(const char *name, double *part);

/*
 * Returns true if the program uses nearly all of the job's memory for large work, and continues in files when that
 * memory is full.
 */
bool programs_fills_memory(const char *name);

/* Returns true if the program's threads belong to its own runtime, which OMP_NUM_THREADS does not affect. */
bool programs_has_own_threads(const char *name);

/*
 * Returns true if the program is an interpreter that runs its language's code in one thread at a time (CPython's GIL,
 * Ruby's GVL).
 */
bool programs_runs_threads_in_turns(const char *name);

/* Where the files are that a program serves as a FUSE file system. */
enum programs_served {
	SERVES_NOTHING, /* the program serves none, as far as is known */
	SERVES_IMAGE,   /* in a local image or archive, or in other directories of the node; the program waits for the file
			 * system of these */
	SERVES_REMOTE,  /* another machine */
};

/* Returns what the program serves. */
enum programs_served programs_serves(const char *name);

/*
 * Returns true if the program's exit code answers a question (grep, test). Also returns true if scripts call the
 * program without caring whether it succeeds. It may look for something that is missing, a job has no terminal, or a
 * directory may already exist. Shells are included, because of their builtins.
 */
bool programs_is_asked(const char *name);

/*
 * Returns true if the program may end before it has read all of its input, as head does, or as awk does with "exit".
 * Shells may do so, too.
 */
bool programs_may_stop_reading(const char *name);

/*
 * Returns true if the program ends itself by @signal as a part of its work. timeout sends SIGKILL to its own process
 * group, which includes itself (coreutils, src/timeout.c, cleanup()).
 */
bool programs_ends_itself(const char *name, double signal);

/*
 * Returns what the program's exit code @code means, in words, if the code is not a failure. Returns NULL if it is a
 * failure, as far as is known.
 */
const char *programs_answer(const char *name, double code);

#endif
