/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the helper "stint-slurm-job --serve" when a writer connects to RUN_DIR/slurm. The helper asks slurmctld for
 * the writers. The helper ends when it is idle.
 */
#ifndef STINT_ASKING_H
#define STINT_ASKING_H

#include <stdbool.h>

#include "common/error.h"

struct asking;

/*
 * Makes the socket RUN_DIR/slurm, to which only root can connect.
 *
 * @libexec_dir: directory of the helper; must outlive the result
 *
 * Returns NULL with @err set on failure.
 */
struct asking *asking_open(const char *run_dir, const char *libexec_dir, struct error *err);

/* Returns a descriptor that is readable if a writer connects while no helper runs. */
int asking_fd(const struct asking *asking);

void asking_run(struct asking *asking);

/* Handles the end of the child @pid with the wait status @status. Returns true if the child was the helper. */
bool asking_child_ended(struct asking *asking, int pid, int status);

/* Returns the path of the socket; NULL if @asking is NULL. */
const char *asking_path(const struct asking *asking);

void asking_close(struct asking *asking);

#endif
