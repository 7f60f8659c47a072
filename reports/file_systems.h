/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file systems that the job waited for, and what kind of thing each is. */
#ifndef STINT_FILE_SYSTEMS_H
#define STINT_FILE_SYSTEMS_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Returns "local", "network", "memory" or "unknown" for a file system's type, as
 * the kernel calls it; unknown when it is "" or NULL.
 */
const char *file_systems_class(const char *type);

/*
 * Puts file_systems, those of one type over all nodes as one, the most waited for
 * first. What is not known is named in @gaps as used.file_systems.
 */
void file_systems_put(struct json_object *const records[], size_t count, struct json_object *out,
		      struct json_object *gaps);

#endif
