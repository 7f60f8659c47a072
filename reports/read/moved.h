/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows links to moved reports.
 * If a job moves its report with --stint=output=, a link in the job's directory leads to the report (PATTERN_LINK).
 */
#ifndef STINT_MOVED_H
#define STINT_MOVED_H

#include <stdbool.h>

/* Returns whether the last name in @path is the name of a link to a moved report. */
bool moved_is_link(const char *path);

/*
 * If *@path is a link to a moved report, replaces *@path by the report's own path,
 * because the reports of earlier attempts are in the directory of the report.
 * *@path must come from malloc().
 *
 * First check the report's owner with the link's own path.
 * A user who may write to the link's directory can make links there that lead anywhere.
 */
void moved_follow(char **path);

#endif
