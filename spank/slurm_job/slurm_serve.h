/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves many callers (stint-slurm-job --serve), so that libslurm reads its configuration once for many jobs.
 *
 * stintd starts the program when a caller connects. The listening socket is the program's standard input.
 */
#ifndef STINT_SLURM_SERVE_H
#define STINT_SLURM_SERVE_H

/*
 * Answers each caller on standard input, a listening socket that only root can reach.
 * A caller sends its question as one message, and reads to the end of the connection.
 *
 * @answer: called with the question; writes the answer to standard output, and returns an exit code
 *
 * Returns EXIT_SUCCESS if no call came for a while, or if Slurm's configuration may have changed since the start.
 * Returns EXIT_FAILURE if it cannot begin to serve.
 */
int slurm_serve(int (*answer)(const char *question));

#endif
