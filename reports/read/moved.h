/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows links to moved reports. If a job moved its report by --stint=output=, a link in the job's directory leads to
 * the report (PATTERN_LINK).
 */
#ifndef STINT_MOVED_H
#define STINT_MOVED_H

#include <stdbool.h>

/* Returns true if the last name in @path is the name of a link to a moved report. */
bool moved_is_link(const char *path);

/*
 * If *@path is a link to a moved report, replaces *@path by the path of the report itself, because the reports of
 * earlier attempts are beside the report. *@path must come from malloc().
 *
 * Before this call, check that the report is of the job, and use the link's own path for this check. The check of the
 * report's owner needs the link's directory, because a user who may write to this directory can make links there that
 * lead anywhere.
 */
void moved_follow(char **path);

#endif
