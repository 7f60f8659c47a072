/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a report's file in this process itself, so this process waits for the file system. See reports/files/reach.h.
 */
#ifndef STINT_REPORT_HERE_H
#define STINT_REPORT_HERE_H

#include <sys/stat.h>

#include "common/error.h"

/*
 * Like report_open(), for all bytes of the file. On FUSE, st_uid in @file is set to the user who mounted the file
 * system (fuse_owner.h).
 */
int report_open_here(const char *path, struct stat *file, struct error *err);

#endif
