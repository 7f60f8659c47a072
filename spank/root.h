/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does work as root, even while slurmstepd acts as another user. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work as root if the real user is root. Otherwise calls @work as the current user.
 *
 * While an extern step ends, another thread of slurmstepd makes the whole process the job's user for a moment, to shut
 * down X11 forwarding (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and _shutdown_x11_forward()).
 * If this has happened, @work runs in a new thread, and only this thread becomes root.
 * If @work fails with EACCES or EPERM, it runs again in a new thread.
 *
 * @work: returns 0, or -1 with errno set; may be called more than once
 *
 * Returns the last result of @work; -1 with errno set if no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
