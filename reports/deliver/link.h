/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link in a job's directory to the report that the job moved elsewhere. */
#ifndef STINT_LINK_H
#define STINT_LINK_H

/*
 * Makes the link @name to @target in @directory, as the user who this process is. A link that has the name is replaced;
 * whatever else has it stays. Where @target is elsewhere (absolute), nothing shows that @directory's file system answers:
 * then another process makes the link, and is waited for no longer than a second.
 */
void link_leave(const char *directory, const char *name, const char *target);

#endif
