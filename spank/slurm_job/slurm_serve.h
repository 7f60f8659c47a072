/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-slurm-job --serve is the same program, but keeps running for a while. So libslurm is loaded and reads its
 * configuration only once for many jobs. stintd starts the program when a caller comes to the socket, which becomes the
 * program's standard input.
 */
#ifndef STINT_SLURM_SERVE_H
#define STINT_SLURM_SERVE_H

/*
 * Answers each caller at standard input, which is a listening socket that only root can reach. If another caller waits,
 * answers in a separate process. A caller sends its question as one message, and receives the answer until the
 * connection ends.
 *
 * @answer: called with the question; writes the answer to standard output, and returns an exit code
 *
 * Returns EXIT_SUCCESS if no call came for a while, or when the program has reached its maximum age: Slurm's
 * configuration may have changed since it was read. Returns EXIT_FAILURE if it cannot begin to serve.
 */
int slurm_serve(int (*answer)(const char *question));

#endif
