/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports that a job's --stint=output= moved: a link in the job's directory leads to them (PATTERN_LINK). */
#ifndef STINT_MOVED_H
#define STINT_MOVED_H

#include <stdbool.h>

/* Whether the name of @path is that of such a link. */
bool moved_is_link(const char *path);

/*
 * If @path is such a link, replaces it by the path of the report itself: earlier attempts lie beside the report. @path
 * must come from malloc(). Call this only after the report is known to be of the job: a user who may write to the
 * directory can make links there that lead anywhere, so the check of the report's owner uses the link's directory.
 */
void moved_follow(char **path);

#endif
