/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a link in a job's directory to a report elsewhere. */
#ifndef STINT_LINK_H
#define STINT_LINK_H

/*
 * Makes the link @name to @target in @directory as the current user. Replaces another link, but no file.
 *
 * If @target is absolute, @directory may not answer. Then a child makes the link, and this process waits for at most a
 * second.
 */
void link_leave(const char *directory, const char *name, const char *target);

#endif
