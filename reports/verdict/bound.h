/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what limited the job, as one word. The first rule that matches decides. */
#ifndef STINT_BOUND_H
#define STINT_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define BOUND_TEXT 512

/*
 * The values are in the order in which bound_find() tries the rules. FILE_IO, NETWORK and LOCK are tried together, and
 * the one with the largest share wins.
 */
enum bound {
	BOUND_MEMORY,
	BOUND_OVERSUBSCRIBED,
	BOUND_THROTTLED,
	BOUND_STARVED,
	BOUND_CPU,
	BOUND_FILE_IO,
	BOUND_NETWORK,
	BOUND_LOCK,
	BOUND_SERIAL,
	BOUND_IDLE,
	BOUND_MIXED,
	BOUND_UNKNOWN,
};

/*
 * Returns what limited the job.
 */
enum bound bound_find(const struct facts *facts);

/* Returns the verdict's word, such as "file-io". */
const char *bound_word(enum bound bound);

/* Returns the share, 0 to 1, for which @bound was chosen; NAN if @bound is BOUND_UNKNOWN. */
double bound_share(const struct facts *facts, enum bound bound);

/*
 * Returns true if the job was oversubscribed although it had enough CPUs, because its threads ran on only a few of its
 * cores.
 */
bool bound_crowded(const struct facts *facts);

/*
 * Returns true if something other than the job's own threads kept it from CPUs that it could have used. If
 * bound_throttled() returns true, this was a quota, otherwise other work.
 */
bool bound_kept(const struct facts *facts);

/* Like bound_kept(), but also returns true if the job had too many threads of its own in addition. */
bool bound_kept_also(const struct facts *facts);
bool bound_throttled(const struct facts *facts);

/*
 * Returns true if only one thread was busy for much of the time, even if all CPU time that other work took is left out.
 */
bool bound_serial(const struct facts *facts);

/* Returns true if the job was serial, and so left more core time unused than other work or a quota took from it. */
bool bound_serial_more(const struct facts *facts);

/*
 * Returns true if several threads that took turns look like one busy thread.
 *
 * @rule: the rule for the least share of CPU time that threads used in turns
 */
bool bound_turns(const struct facts *facts, enum rule rule);

/* Returns the entry of used.file_systems for which threads waited most; NULL if that is not known. Borrowed. */
const struct report_file_system *bound_file_system(const struct facts *facts);

/*
 * Writes the verdict as a sentence with its numbers. Returns @text.
 */
const char *bound_text(const struct facts *facts, enum bound bound, char text[BOUND_TEXT]);

#endif
