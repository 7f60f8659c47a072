/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link in a job's directory to the report that the job moved elsewhere. */
#ifndef STINT_LINK_H
#define STINT_LINK_H

/*
 * Makes the link @name to @target in @directory, as this process's user. An existing link of that name is replaced; any
 * other file of that name stays. If @target is elsewhere (absolute), @directory's file system may not answer. Then
 * another process makes the link, and this one waits for it at most a second.
 */
void link_leave(const char *directory, const char *name, const char *target);

#endif
