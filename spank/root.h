/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does work as root, even while slurmstepd acts as another user. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work with @data as root, if the real user of the process is root. Otherwise calls @work as the current user.
 *
 * While an extern step ends, another thread of slurmstepd becomes the job's user for a moment, to shut down X11
 * forwarding (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and _shutdown_x11_forward()). This
 * changes the user of the whole process. If the process is not root at that moment, or if @work is refused because of
 * that change, calls @work in a new thread. Only that new thread changes its user. If @work is refused again, tries
 * again in another thread.
 *
 * @work: returns 0; -1 with errno set; it may be called more than once
 *
 * Returns the last result of @work; -1 with errno set if no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
