/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules know about programs by name. Rules mostly judge a tool by what it did. */
#ifndef STINT_KNOWN_PROGRAMS_H
#define STINT_KNOWN_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* In all functions below, @name is a tool's name, or NULL. */

/* Returns true if the program starts a job's tasks, waits for them, and passes on their output. */
bool programs_is_launcher(const char *name);

/* Returns true if the program runs other programs, and ends with a code of its own if one of them fails. */
bool programs_is_engine(const char *name);

/* Returns true for engines, launchers, and programs that end with the code of their only child. */
bool programs_passes_on(const char *name);

/* Returns true if the program ran all its commands, and some of them ended with a code from 1 to 125. */
bool programs_counts_failures(const char *name, int64_t code);

/*
 * Returns the option that limits the program's memory, if the program sizes itself by the available memory.
 * Returns NULL for all other programs.
 * @part: set to the largest share of the available memory that the program takes without the option.
 */
const char *programs_memory_option(const char *name, double *part);

/* Returns true if the program uses nearly all memory for large work, and then continues in files. */
bool programs_fills_memory(const char *name);

/* Returns true if a runtime starts the threads, without regard to OMP_NUM_THREADS. */
bool programs_has_own_threads(const char *name);

/* Returns true if only one thread at a time runs the interpreter's language (CPython's GIL, Ruby's GVL). */
bool programs_runs_threads_in_turns(const char *name);

/* Where a FUSE server keeps the files. */
enum programs_served {
	SERVES_NOTHING, /* no FUSE server, as far as known */
	SERVES_IMAGE,   /* in an image, archive or directory of the node, on whose file system the program waits */
	SERVES_REMOTE,  /* on another machine */
};

enum programs_served programs_serves(const char *name);

/*
 * Returns true if a failure of the program may be harmless. Its exit code may be an answer (grep, test).
 * Scripts also ignore the code of programs such as rm and mkdir. Shells have some of these programs as builtins.
 */
bool programs_is_asked(const char *name);

/* Returns true if the program may end before it has read all input: head, awk with "exit", shells. */
bool programs_may_stop_reading(const char *name);

/*
 * Returns true if the program ends itself by @signal as part of its work.
 * timeout sends SIGKILL to its own process group (coreutils, src/timeout.c, cleanup()).
 */
bool programs_ends_itself(const char *name, double signal);

/* Returns what @code means if it is no failure; else NULL. */
const char *programs_answer(const char *name, double code);

#endif
