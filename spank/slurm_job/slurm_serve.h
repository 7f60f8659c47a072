/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-slurm-job --serve: the same program, which keeps running for a while, so that libslurm is loaded and reads its
 * configuration once for many jobs. stintd starts it when a caller comes to the socket, which becomes its standard
 * input.
 */
#ifndef STINT_SLURM_SERVE_H
#define STINT_SLURM_SERVE_H

/*
 * Answers each caller at standard input, a listening socket that only root can reach. While another caller waits, it answers in a
 * separate process. A caller sends its question as one message; everything that comes back until the end is the answer.
 *
 * @answer: called with the question; writes the answer to standard output. Returns an exit code
 *
 * Returns EXIT_SUCCESS if no call came for a while, or when it reaches its maximum age: Slurm's configuration may have changed
 * since it was read.
 */
int slurm_serve(int (*answer)(const char *question));

#endif
