/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a link in a job's directory to the report, if the job moved its report elsewhere. */
#ifndef STINT_LINK_H
#define STINT_LINK_H

/*
 * Makes the link @name to @target in @directory, as this process's user. An existing link of that name is replaced; any
 * other file of that name stays. If @target is absolute, it is elsewhere, and @directory's file system may not answer.
 * So another process makes the link, and this process waits for it for at most a second.
 */
void link_leave(const char *directory, const char *name, const char *target);

#endif
