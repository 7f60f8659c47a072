/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports that a job's --stint=output= moved: a link in the job's directory leads to them (PATTERN_LINK). */
#ifndef STINT_MOVED_H
#define STINT_MOVED_H

#include <stdbool.h>

/* Whether @path is named as such a link. */
bool moved_is_link(const char *path);

/*
 * Makes @path that of the report itself, where it is such a link: earlier attempts lie beside the report. A path is from malloc().
 * Call it only once the report is known to be of the job: who may write to a directory can make links there that
 * lead anywhere, so what proves whose report it is goes by the link's directory.
 */
void moved_follow(char **path);

#endif
