/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the verdict: one word for what limited the job. The first matching rule decides. */
#ifndef STINT_BOUND_H
#define STINT_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define BOUND_TEXT 512

/* bound_find() tries these in this order. Among FILE_IO, GPU, NETWORK and LOCK, the one with the largest share wins. */
enum bound {
	BOUND_MEMORY,
	BOUND_OVERSUBSCRIBED,
	BOUND_THROTTLED,
	BOUND_STARVED,
	BOUND_CPU,
	BOUND_FILE_IO,
	BOUND_GPU,
	BOUND_NETWORK,
	BOUND_LOCK,
	BOUND_SERIAL,
	BOUND_IDLE,
	BOUND_MIXED,
	BOUND_UNKNOWN,
};

enum bound bound_find(const struct facts *facts);

/* Returns the word of the verdict: "file-io". */
const char *bound_word(enum bound bound);

/* Returns the share, 0 to 1, that decided @bound; NAN for BOUND_UNKNOWN. */
double bound_share(const struct facts *facts, enum bound bound);

/* Returns true if too many threads ran on a few of the job's cores, although the job had enough CPUs for them. */
bool bound_crowded(const struct facts *facts);

/*
 * Returns true if other work or a quota kept the job from CPUs that it could have used.
 * bound_throttled() returns true if a quota caused most of the waits for a CPU.
 */
bool bound_kept(const struct facts *facts);

/* Works like bound_kept(), but returns true even if the job had too many threads for its CPUs. */
bool bound_kept_also(const struct facts *facts);
bool bound_throttled(const struct facts *facts);

/*
 * Returns true if only one thread was busy for much of the time.
 * CPU time that other work took is left out.
 */
bool bound_serial(const struct facts *facts);

/* Returns true if one busy thread explains more of the unused core time than other work or a quota does. */
bool bound_serial_more(const struct facts *facts);

/*
 * Returns true if threads that took turns look like one busy thread.
 * @rule: the least share of CPU time that threads used in turns.
 */
bool bound_turns(const struct facts *facts, enum rule rule);

/* Returns the file system of used.file_systems for which threads waited most; NULL if unknown. Borrowed. */
const struct report_file_system *bound_file_system(const struct facts *facts);

/* Writes the verdict as a sentence with its numbers. Returns @text. */
const char *bound_text(const struct facts *facts, enum bound bound, char text[BOUND_TEXT]);

#endif
