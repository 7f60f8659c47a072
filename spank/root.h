/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that has to be done as root, whatever slurmstepd is at that moment. */
#ifndef STINT_ROOT_H
#define STINT_ROOT_H

/*
 * Calls @work with @data as root, where the process's real user is root.
 *
 * While an extern step ends, another thread of slurmstepd becomes the job's user for a moment, and with it the whole
 * process: to take X11 forwarding down (Slurm 22.05 to 25.05, slurmstepd/mgr.c, _x11_signal_handler() and
 * _shutdown_x11_forward()). So @work is called in a thread of its own where this one is not root, and again where that
 * happened meanwhile. No thread of the process but that one is changed.
 *
 * @work: returns 0, or -1 with errno; it may be called more than once
 *
 * Returns what @work returned last; -1 with errno where no thread could be made.
 */
int root_do(int (*work)(void *data), void *data);

#endif
