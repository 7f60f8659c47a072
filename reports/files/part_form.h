/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds how much a part of another node can contain. Bounds are needed because a part is in a directory where a user
 * can write, and is read outside the job's own limits. No bound is lower than the most that a node can write.
 */
#ifndef STINT_PART_FORM_H
#define STINT_PART_FORM_H

#include <stddef.h>

#include "common/error.h"
#include "reports/records/record.h"

/* The most entries that one report contains. Each node of the job may use its share of them. */
#define PART_FORM_TIMELINE_ENTRIES 65536 /* if stint.conf has a lower limit for one node, that limit applies */
#define PART_FORM_SERIES_POINTS 65536
#define PART_FORM_FILES 65536 /* candidates, from which a report's files are chosen by bytes and by opens */

/* What is left of the bounds for the next parts of a job. */
struct part_bounds {
	size_t nodes;
	size_t bytes; /* how many bytes of their files may still be read */
	size_t weight; /* how many bytes of memory their texts and records may still need */
};

/*
 * Returns one node's share of @most, on a job of @nodes nodes; at least 1.
 */
size_t part_form_share(size_t most, size_t nodes);

/*
 * Returns how much of its share a node keeps. If a job has more than 64 nodes, a node keeps less than its share,
 * because a report of 65,536 lines is too long to read, and the leading node of a thousand nodes would need many
 * seconds to write it. A part may still contain its whole share, because the stint of another node may be older.
 */
size_t part_form_kept(size_t most, size_t nodes);

/* Call before reading the parts of a job on @nodes nodes. */
struct part_bounds part_form_begin(size_t nodes);

/* Returns the most bytes that the next part may contain. */
size_t part_form_bytes(const struct part_bounds *bounds);

/* Counts a part of @len bytes that was read, even if it is refused later. */
void part_form_count(struct part_bounds *bounds, size_t len);

/*
 * Reads the part @text, and counts the memory that its record needs. Returns the same as record_read(). If no node can
 * have written this part, returns NULL with @err set and errno EFBIG. @name: the part's file, for @err.
 *
 * @text: @len bytes and a NUL, from malloc(); part_form_read() becomes its owner, even on failure
 */
struct record *part_form_read(char *text, size_t len, struct part_bounds *bounds, const char *name,
			      struct record_identity *identity, struct error *err);

#endif
