/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves many callers from one process (stint-slurm-job --serve), so libslurm is loaded and reads its configuration
 * only once for many jobs. stintd starts the program when a caller connects to a socket, and that socket becomes the
 * program's standard input.
 */
#ifndef STINT_SLURM_SERVE_H
#define STINT_SLURM_SERVE_H

/*
 * Answers each caller that connects to standard input, which is a listening socket that only root can reach. If
 * another caller waits, answers in a separate process. A caller sends its question as one message, and then reads the
 * answer until the connection ends.
 *
 * @answer: called with the question; writes the answer to standard output, and returns an exit code
 *
 * Returns EXIT_SUCCESS if no call came for a while. Also returns EXIT_SUCCESS when the program has reached its
 * maximum age, because Slurm's configuration may have changed since the program read it. Returns EXIT_FAILURE if it
 * cannot begin to serve.
 */
int slurm_serve(int (*answer)(const char *question));

#endif
