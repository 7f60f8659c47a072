/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file systems that the job waited for, each with its class. */
#ifndef STINT_REPORT_FILE_SYSTEMS_H
#define STINT_REPORT_FILE_SYSTEMS_H

#include <stddef.h>

#include "reports/records/making.h"

/*
 * Returns the class of a file system type, which has the kernel's name @type: "local", "network", "memory" or
 * "unknown". Returns "unknown" for "" and NULL.
 */
const char *file_systems_class(const char *type);

/*
 * Puts the file systems into @out, merged by type over all nodes. The file system with the longest waits comes first.
 * If the file systems are not known, adds the gap used.file_systems.
 */
void file_systems_put(const struct record *const records[], size_t count, struct report_file_system_list *out,
		      struct making *making);

#endif
