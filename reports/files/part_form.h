/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits how large a part from another node may be. All parts that a node can write are within the limits.
 * A user can write where the parts are, and the process that reads them is outside the job's limits.
 */
#ifndef STINT_PART_FORM_H
#define STINT_PART_FORM_H

#include <stddef.h>

#include "common/error.h"
#include "reports/records/record.h"

/* Limits for the entries of one report. Each node of the job may add an equal share. */
#define PART_FORM_TIMELINE_ENTRIES 65536 /* a lower limit for a node in stint.conf applies, too */
#define PART_FORM_SERIES_POINTS 65536
#define PART_FORM_FILES 65536 /* candidates; the report shows those with the most bytes or opens */

/* What remains of the limits for the parts still to be read. */
struct part_bounds {
	size_t nodes;
	size_t bytes; /* bytes of part files */
	size_t weight; /* bytes of memory for texts and records */
};

/* Returns one node's share of @most on a job of @nodes nodes; at least 1. */
size_t part_form_share(size_t most, size_t nodes);

/*
 * Returns how many entries a node writes: at most part_form_share().
 * From 65 nodes on, a node writes fewer, because a report of 65,536 lines is too long to read.
 * The leading node of a thousand nodes would also need many seconds to write such a report.
 * Parts with the whole share are accepted, because a node may run an older stint.
 */
size_t part_form_kept(size_t most, size_t nodes);

/* Returns the limits for a job on @nodes nodes. Call this before reading its parts. */
struct part_bounds part_form_begin(size_t nodes);

/* Returns the most bytes that the next part may contain. */
size_t part_form_bytes(const struct part_bounds *bounds);

/*
 * Subtracts @len from the bytes that may still be read. Call this for each part that was read, even if it is refused
 * later.
 */
void part_form_count(struct part_bounds *bounds, size_t len);

/*
 * Parses the part @text, and subtracts its memory from @bounds. Returns what record_read() returns.
 * If no node can have written the part, returns NULL with @err set and errno EFBIG.
 *
 * @text: @len bytes and a NUL, from malloc(); part_form_read() owns it, even on failure
 * @name: the name of the part's file, for @err
 */
struct record *part_form_read(char *text, size_t len, struct part_bounds *bounds, const char *name,
			      struct record_identity *identity, struct error *err);

#endif
