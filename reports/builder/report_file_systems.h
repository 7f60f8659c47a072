/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file systems that the job waited for, each with its class. */
#ifndef STINT_REPORT_FILE_SYSTEMS_H
#define STINT_REPORT_FILE_SYSTEMS_H

#include <stddef.h>

#include "reports/records/making.h"

/* Returns "local", "network", "memory" or "unknown" for the kernel's name of a file system type; unknown for "" and NULL. */
const char *file_systems_class(const char *type);

/*
 * Puts the file systems into @out, merged by type over all nodes, the one with the longest waits first. If they are not
 * known, the gaps name used.file_systems.
 */
void file_systems_put(const struct record *const records[], size_t count, struct report_file_system_list *out,
		      struct making *making);

#endif
