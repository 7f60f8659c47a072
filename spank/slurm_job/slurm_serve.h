/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-slurm-job --serve: the same program, which then stays for a while, so that libslurm is loaded and reads its
 * configuration once for many jobs. stintd starts it when a caller comes to the socket, which becomes its standard
 * input.
 */
#ifndef STINT_SLURM_SERVE_H
#define STINT_SLURM_SERVE_H

/*
 * Answers each caller at standard input, a listening socket that only root can reach. While another caller waits, it
 * answers in a process of its own. A caller sends its question as one message; all that comes back until the end is the
 * answer.
 *
 * @answer: called with the question; writes the answer to standard output. Returns an exit code
 *
 * Returns EXIT_SUCCESS when nobody called for a while, or when it is as old as it may get: Slurm's configuration may
 * have changed since it was read.
 */
int slurm_serve(int (*answer)(const char *question));

#endif
