/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the helper "stint-slurm-job --serve", which asks slurmctld for the writers, because it is already linked with
 * libslurm. stintd starts the helper when a writer connects to RUN_DIR/slurm. The helper ends if no writer has
 * connected for a while, and the next connection starts another helper. A writer that gets no answer asks slurmctld
 * itself.
 */
#ifndef STINT_ASKING_H
#define STINT_ASKING_H

#include <stdbool.h>

#include "common/error.h"

struct asking;

/*
 * Makes the socket RUN_DIR/slurm. Only root can connect to this socket.
 *
 * @libexec_dir: the directory of the helper; the string must stay valid as long as the result
 *
 * Returns NULL with @err set on failure.
 */
struct asking *asking_open(const char *run_dir, const char *libexec_dir, struct error *err);

/* Returns a descriptor that becomes readable if a writer connects while the helper is not running. */
int asking_fd(const struct asking *asking);

/* Starts the helper. */
void asking_run(struct asking *asking);

/* Handles the end of the child @pid, with the wait status @status. Returns true if this child was the helper. */
bool asking_child_ended(struct asking *asking, int pid, int status);

/* Returns the path of the socket; NULL if @asking is NULL. */
const char *asking_path(const struct asking *asking);

void asking_close(struct asking *asking);

#endif
