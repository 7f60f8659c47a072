/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a node record that tells of tools: their table, and the timeline that points into it. */
#ifndef STINT_RECORD_TOOLS_H
#define STINT_RECORD_TOOLS_H

#include "collector/record.h"

/*
 * Adds "tools" and "timeline" to @record. @to_unix_ns is added to boot-time
 * stamps. *@cut: a tool's paths are left out, for they were too long to be kept whole.
 * Returns 0; -1 when memory ran out (both are there then, and empty).
 */
int record_tools_add(const struct record_source *source, struct job *job, int64_t to_unix_ns,
		     struct json_object *record, bool *cut);

#endif
