/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the file systems that the job waited for, and the class of each. */
#ifndef STINT_REPORT_FILE_SYSTEMS_H
#define STINT_REPORT_FILE_SYSTEMS_H

#include <stddef.h>

#include "reports/records/making.h"

/*
 * Returns the class of the file system type that the kernel calls @type. The class is "local", "network", "memory" or
 * "unknown". Returns "unknown" if @type is "" or NULL.
 */
const char *file_systems_class(const char *type);

/*
 * Puts the file systems into @out. Merges those of the same type on all nodes. The one that the job waited for
 * longest comes first. If the file systems are not known, adds the gap used.file_systems.
 */
void file_systems_put(const struct record *const records[], size_t count, struct report_file_system_list *out,
		      struct making *making);

#endif
