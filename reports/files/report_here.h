/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a report's file in this process, which waits for the file system (reports/files/reach.h). */
#ifndef STINT_REPORT_HERE_H
#define STINT_REPORT_HERE_H

#include <sys/stat.h>

#include "common/error.h"

/*
 * Opens a report's file, to read all its bytes. On FUSE, sets st_uid in @file to the user who mounted the file system
 * (fuse_owner.h).
 * Returns what report_open() returns.
 */
int report_open_here(const char *path, struct stat *file, struct error *err);

#endif
