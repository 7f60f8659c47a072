/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which fields a part of another node can contain, and how many of them. Bounds are needed because a part lies where a
 * user can write, and is read outside the job's own limits. No bound is below what a node can write.
 */
#ifndef STINT_PART_FORM_H
#define STINT_PART_FORM_H

#include <stddef.h>

#include "common/error.h"

/* The most that one report contains. Each node of the job may use its share. */
#define PART_FORM_TIMELINE_ENTRIES 65536 /* a lower limit of stint.conf for one node comes first */
#define PART_FORM_SERIES_POINTS 65536
#define PART_FORM_FILES 65536 /* candidates, from which a report's files are chosen by bytes and by opens */

/* What remains for the other parts of a job. */
struct part_bounds {
	size_t nodes;
	size_t bytes; /* bytes of their files that may still be read */
	size_t weight; /* bytes of memory that they may still take once parsed */
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
 * Returns the content of the part @text that may be parsed, to be freed, and counts the memory for it. @name: the
 * part's file, for @err. Returns NULL with @err set, and errno as json_filter_within() sets it, if no node can have
 * written this part.
 */
char *part_form_admit(const char *text, size_t len, struct part_bounds *bounds, const char *name, size_t *out_len,
		      struct error *err);

#endif
