/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules know about programs by name. That is little, because a tool is judged by what it did. */
#ifndef STINT_KNOWN_PROGRAMS_H
#define STINT_KNOWN_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* Each takes a tool's name, which may be NULL. */

/* Returns true if it starts a job's tasks, waits for them, and passes on what they print. */
bool programs_is_launcher(const char *name);

/* Returns true if it runs other programs, and ends with a code of its own when one of them failed. */
bool programs_is_engine(const char *name);

/* Returns true if it is an engine or launcher, or runs one other program and ends as that one does. */
bool programs_passes_on(const char *name);

/*
 * Returns true if @code says that it ran all commands that it was given, and that some of them ended with a code of their own, from
 * 1 to 125.
 */
bool programs_counts_failures(const char *name, int64_t code);

/*
 * Returns its option that sets how much memory it may use, if it sizes itself by the memory of the job or the node without that
 * option; NULL: it does not, as far as is known. @part: set to the largest share of that memory that it takes.
 */
const char *programs_memory_option(const char *name, double *part);

/* Returns true if it takes nearly all of the job's memory for large work, and continues in files when that memory is full. */
bool programs_fills_memory(const char *name);

/* Returns true if its threads belong to its own runtime, which OMP_NUM_THREADS does not affect. */
bool programs_has_own_threads(const char *name);

/* Returns true if it is an interpreter that runs its language's code in one thread at a time (CPython's GIL, Ruby's GVL). */
bool programs_runs_threads_in_turns(const char *name);

/* Where a program has the files that it serves as a FUSE file system. */
enum programs_served {
	SERVES_NOTHING, /* it serves none, as far as is known */
	SERVES_IMAGE,   /* a local image or archive, or other directories of the node: the program waits for their file system */
	SERVES_REMOTE,  /* another machine */
};

/* Returns what it serves. */
enum programs_served programs_serves(const char *name);

/*
 * Returns true if its exit code answers a question (grep, test), or if scripts call it without caring whether it succeeds: what it
 * looks for may be missing, a job has no terminal, a directory may exist already. Shells are included, because of their builtins.
 */
bool programs_is_asked(const char *name);

/* Returns true if it may end before it has read all of its input, as head does, or awk by "exit". Shells may, too. */
bool programs_may_stop_reading(const char *name);

/*
 * Returns true if it ends itself by @signal as a part of its work: timeout sends SIGKILL to its own process group, itself included
 * (coreutils, src/timeout.c, cleanup()).
 */
bool programs_ends_itself(const char *name, double signal);

/* Returns the meaning of its exit code @code in words, if the code is not a failure; NULL: it is one, as far as is known. */
const char *programs_answer(const char *name, double code);

#endif
