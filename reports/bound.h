/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bound the job: one word, found by the first rule that matches. */
#ifndef STINT_BOUND_H
#define STINT_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/facts.h"

#define BOUND_TEXT 512

/* In the order in which the rules are tried; of FILE_IO, NETWORK and LOCK the largest share decides. */
enum bound {
	BOUND_MEMORY,
	BOUND_OVERSUBSCRIBED,
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
 * Returns what bound the job.
 */
enum bound bound_find(const struct facts *facts);

/*
 * Returns the verdict's word: "file-io".
 */
const char *bound_word(enum bound bound);

/*
 * Returns the share of the rule that matched, 0 to 1; NAN for BOUND_UNKNOWN.
 */
double bound_share(const struct facts *facts, enum bound bound);

/*
 * Returns true when more threads wanted to run than there were CPUs that they
 * ran on.
 */
bool bound_oversubscribed(const struct facts *facts);

/*
 * As bound_oversubscribed(), where there would have been CPUs enough: some of the
 * job's cores were never used.
 */
bool bound_crowded(const struct facts *facts);

/*
 * Returns the file system that was waited for most, an entry of
 * used.file_systems; NULL when it is not known which. Borrowed.
 */
struct json_object *bound_file_system(const struct facts *facts);

/*
 * Writes the verdict as a sentence with its numbers. Returns @text.
 */
const char *bound_text(const struct facts *facts, enum bound bound, char text[BOUND_TEXT]);

#endif
