/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does work as root, whatever user slurmstepd is at that moment. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work with @data as root, if the process's real user is root.
 *
 * While an extern step ends, another thread of slurmstepd becomes the job's user for a moment, to shut down X11
 * forwarding (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and _shutdown_x11_forward()). This changes
 * the user of the whole process. So if this thread is not root, @work is called in a thread of its own. It is called
 * again if the user changed meanwhile. Only that thread changes its user.
 *
 * @work: returns 0; -1 with errno set; it may be called more than once
 *
 * Returns the last result of @work; -1 with errno set if no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
