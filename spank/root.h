/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does work as root, even while slurmstepd acts as another user. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work as root if the real user is root. Otherwise calls @work as the current user.
 *
 * While an extern step ends, another thread of slurmstepd becomes the job's user, to shut down X11 forwarding. This
 * changes the whole process (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and
 * _shutdown_x11_forward()). Then @work runs in a new thread, which alone becomes root. If @work is refused, it runs
 * again in another thread.
 *
 * @work: returns 0, or -1 with errno set; may be called more than once
 *
 * Returns the last result of @work; -1 with errno set if no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
