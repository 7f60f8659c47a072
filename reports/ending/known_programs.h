/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what the rules know about programs by name. They know little, because they judge a tool by what it did. */
#ifndef STINT_KNOWN_PROGRAMS_H
#define STINT_KNOWN_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* In each function below, @name is a tool's name, and may be NULL. "The program" means the program with that name. */

/* Returns true if the program starts a job's tasks, waits for them, and passes on what they print. */
bool programs_is_launcher(const char *name);

/* Returns true if the program runs other programs, and ends with a code of its own if one of them failed. */
bool programs_is_engine(const char *name);

/*
 * Returns true if the program is an engine or a launcher, or if it runs one other program and ends in the way that
 * the other program ends.
 */
bool programs_passes_on(const char *name);

/*
 * Returns true if @code says two things: the program ran all commands that it was given, and some of these commands
 * ended with a code from 1 to 125.
 */
bool programs_counts_failures(const char *name, int64_t code);

/*
 * Returns the program's option that limits how much memory the program uses. Returns the option only if the program
 * would otherwise choose its size by the memory of the job or of the node. Returns NULL for all other programs, as
 * far as known.
 *
 * @part: set to the largest share of that memory that the program uses without the option
 */
const char *programs_memory_option(const char *name, double *part);

/*
 * Returns true if the program uses nearly all of the job's memory for large work, and continues with files on disk
 * when that memory is full.
 */
bool programs_fills_memory(const char *name);

/* Returns true if the program starts its threads by its own runtime, which OMP_NUM_THREADS does not affect. */
bool programs_has_own_threads(const char *name);

/*
 * Returns true if the program is an interpreter in which only one thread at a time runs code of its language
 * (CPython's GIL, Ruby's GVL).
 */
bool programs_runs_threads_in_turns(const char *name);

/* Where a program that serves a FUSE file system keeps the files. */
enum programs_served {
	SERVES_NOTHING, /* the program serves no file system, as far as known */
	SERVES_IMAGE,   /* in a local image or archive, or in other directories of the node; the program waits for their file system */
	SERVES_REMOTE,  /* on another machine */
};

/* Returns where the program keeps the files that it serves. */
enum programs_served programs_serves(const char *name);

/*
 * Returns true if the program's exit code answers a question (grep, test). Also returns true if scripts call the
 * program without caring whether it succeeds: because it may look for something that is missing, because a job has no
 * terminal, or because a directory may already exist. Returns true for shells, because of their builtins.
 */
bool programs_is_asked(const char *name);

/*
 * Returns true if the program may end before it has read all of its input. head does so, and awk with "exit". Shells
 * may do so, too.
 */
bool programs_may_stop_reading(const char *name);

/*
 * Returns true if the program sends @signal to itself as part of its work, and so ends itself. timeout sends SIGKILL
 * to its own process group (coreutils, src/timeout.c, cleanup()).
 */
bool programs_ends_itself(const char *name, double signal);

/*
 * Returns the meaning of the program's exit code @code in words, if the code does not mean failure. Returns NULL if
 * it means failure, as far as known.
 */
const char *programs_answer(const char *name, double code);

#endif
