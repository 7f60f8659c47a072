/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the file systems that the job waited for, with their classes. */
#ifndef STINT_REPORT_FILE_SYSTEMS_H
#define STINT_REPORT_FILE_SYSTEMS_H

#include <stddef.h>

#include "reports/records/making.h"

/* Returns the class of the kernel's @type: "local", "network", "memory" or "unknown". @type: "" or NULL if unknown. */
const char *file_systems_class(const char *type);

/*
 * Puts the file systems into @out, one for each type, the longest wait first.
 * Adds the gap used.file_systems if they are not known.
 */
void file_systems_put(const struct record *const records[], size_t count, struct report_file_system_list *out,
		      struct making *making);

#endif
