/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a part of another node can contain. Bounds are needed because a part lies where a user can write, and is read
 * outside the job's own limits. No bound is below what a node can write.
 */
#ifndef STINT_PART_FORM_H
#define STINT_PART_FORM_H

#include <stddef.h>

#include "common/error.h"
#include "reports/records/record.h"

/* The most that one report contains. Each node of the job may use its share. */
#define PART_FORM_TIMELINE_ENTRIES 65536 /* a lower limit of stint.conf for one node comes first */
#define PART_FORM_SERIES_POINTS 65536
#define PART_FORM_FILES 65536 /* candidates, from which a report's files are chosen by bytes and by opens */

/* What remains for the other parts of a job. */
struct part_bounds {
	size_t nodes;
	size_t bytes; /* bytes of their files that may still be read */
	size_t weight; /* bytes of memory that their texts and records may still take */
};

/*
 * Returns one node's share of @most, on a job of @nodes nodes; at least 1.
 */
size_t part_form_share(size_t most, size_t nodes);

/*
 * Returns how much of its share a node keeps. It keeps less if a job has more than 64 nodes: a report of 65,536 lines
 * is too long to read, and the leading node of a thousand would need many seconds to write it. A part may still contain
 * its whole share: another node's stint may be older.
 */
size_t part_form_kept(size_t most, size_t nodes);

/* Call before reading the parts of a job on @nodes nodes. */
struct part_bounds part_form_begin(size_t nodes);

/* Returns the most bytes that the next part may contain. */
size_t part_form_bytes(const struct part_bounds *bounds);

/* Counts a part of @len bytes that was read, even if it is refused later. */
void part_form_count(struct part_bounds *bounds, size_t len);

/*
 * Reads the part @text, and counts the memory that its record takes. Returns as record_read() does; or NULL with @err
 * set and errno EFBIG if no node can have written this part. @name: the part's file, for @err.
 *
 * @text: @len bytes and a NUL, of malloc(); part_form_read() takes ownership of it, even on failure
 */
struct record *part_form_read(char *text, size_t len, struct part_bounds *bounds, const char *name,
			      struct record_identity *identity, struct error *err);

#endif
