/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits how large a part from another node may be. Limits are needed because a user can write in the directory of the
 * parts, and because the process that reads a part is outside the job's own limits. Every part that a node can write is
 * within the limits.
 */
#ifndef STINT_PART_FORM_H
#define STINT_PART_FORM_H

#include <stddef.h>

#include "common/error.h"
#include "reports/records/record.h"

/* The most entries that one report contains. Each node of the job may add an equal share of them. */
#define PART_FORM_TIMELINE_ENTRIES 65536 /* if stint.conf has a lower limit for one node, that limit applies */
#define PART_FORM_SERIES_POINTS 65536
#define PART_FORM_FILES 65536 /* candidates; the report shows those with the most bytes or the most opens */

/* How much of each limit remains for the parts of the job still to be read. */
struct part_bounds {
	size_t nodes;
	size_t bytes; /* how many bytes of part files may still be read */
	size_t weight; /* how many bytes of memory the texts and records of parts may still need */
};

/*
 * Returns one node's share of @most, on a job of @nodes nodes; at least 1.
 */
size_t part_form_share(size_t most, size_t nodes);

/*
 * Returns how many entries a node writes, which is at most part_form_share(). On a job of more than 64 nodes, a node
 * writes fewer entries than its share, because a report of 65,536 lines is too long to read, and the leading node of a
 * thousand nodes would need many seconds to write it. A part that contains the whole share is still accepted, because
 * another node may run an older stint.
 */
size_t part_form_kept(size_t most, size_t nodes);

/* Returns the limits for a job on @nodes nodes. Call this before reading the job's parts. */
struct part_bounds part_form_begin(size_t nodes);

/* Returns the most bytes that the next part may contain. */
size_t part_form_bytes(const struct part_bounds *bounds);

/*
 * Subtracts a part of @len bytes from the bytes that may still be read. Call this for each part that was read, even if
 * the part is refused later.
 */
void part_form_count(struct part_bounds *bounds, size_t len);

/*
 * Parses the part @text, and subtracts the memory that the part needs from @bounds. Returns the same as record_read().
 * If no node can have written this part, returns NULL with @err set and errno EFBIG.
 *
 * @text: @len bytes and a NUL, from malloc(); part_form_read() becomes its owner, even on failure
 * @name: the name of the part's file, for @err
 */
struct record *part_form_read(char *text, size_t len, struct part_bounds *bounds, const char *name,
			      struct record_identity *identity, struct error *err);

#endif
