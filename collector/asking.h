/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The helper that asks slurmctld for the writers: stint-slurm-job --serve, which is already linked with libslurm.
 * stintd starts it when a writer connects to RUN_DIR/slurm. It ends when no writer has connected for a while; the
 * next connection starts another. A writer that gets no answer asks slurmctld itself.
 */
#ifndef STINT_ASKING_H
#define STINT_ASKING_H

#include <stdbool.h>

#include "common/error.h"

struct asking;

/*
 * Makes the socket RUN_DIR/slurm, to which only root can connect. @libexec_dir: where the helper is; it must outlive
 * the result.
 *
 * Returns NULL with @err set if that fails.
 */
struct asking *asking_open(const char *run_dir, const char *libexec_dir, struct error *err);

/* Becomes readable when a writer connects and no helper runs. */
int asking_fd(const struct asking *asking);

/* Starts the helper. */
void asking_run(struct asking *asking);

/* Whether the child @pid, which has ended with @status, was the helper. */
bool asking_child_ended(struct asking *asking, int pid, int status);

/* The path of the socket; NULL if there is none (@asking NULL). */
const char *asking_path(const struct asking *asking);

void asking_close(struct asking *asking);

#endif
