/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that must be done as root, whatever user slurmstepd is at that moment. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work with @data as root, if the process's real user is root.
 *
 * While an extern step ends, another thread of slurmstepd becomes the job's user for a moment, and with it the whole
 * process: to shut down X11 forwarding (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and
 * _shutdown_x11_forward()). So if this thread is not root, @work is called in a thread of its own, and again if the
 * user changed meanwhile. Only that thread of the process is changed.
 *
 * @work: returns 0, or -1 with errno; it may be called more than once
 *
 * Returns what @work returned last; -1 with errno if no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
