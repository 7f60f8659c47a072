/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows links to reports that a job's --stint=output= moved. A link in the job's directory leads to such a report
 * (PATTERN_LINK).
 */
#ifndef STINT_MOVED_H
#define STINT_MOVED_H

#include <stdbool.h>

/* Returns true if the name of @path is the name of such a link. */
bool moved_is_link(const char *path);

/*
 * If @path is such a link, replaces @path by the path of the report itself, because the reports of earlier attempts are
 * beside the report. @path must come from malloc(). Call this only after it is known that the report is of the job. A
 * user who may write to the directory can make links there that lead anywhere, so the check of the report's owner must
 * use the link's directory.
 */
void moved_follow(char **path);

#endif
