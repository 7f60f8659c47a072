/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a link in a job's directory to the report, if the job moved its report elsewhere. */
#ifndef STINT_LINK_H
#define STINT_LINK_H

/*
 * Makes the link @name to @target in @directory, as this process's user. Replaces an existing link of that name, but no
 * other file of that name.
 *
 * If @target is absolute, the report is elsewhere, and the file system of @directory may not answer. So another process
 * makes the link, and this process waits for that process for at most a second.
 */
void link_leave(const char *directory, const char *name, const char *target);

#endif
