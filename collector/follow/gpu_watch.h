/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps stint-gpu running while a job runs on a node with GPUs, and gives its samples to the jobs. */
#ifndef STINT_GPU_WATCH_H
#define STINT_GPU_WATCH_H

#include <stdbool.h>

struct collector;

/*
 * Call once a second. stintd does not know which GPUs Slurm gave a job, so stint-gpu runs while any job does, if the
 * node has GPUs at all. Which GPUs a job used is known by its processes.
 */
void gpu_watch(struct collector *c);

/* Call when a job was closed. Kills stint-gpu if no job is open any more: the job's Epilog may reset the GPUs. */
void gpu_watch_closed(struct collector *c);

/* Handles the end of stint-gpu. Returns false if @pid is another child. @status: wait status */
bool gpu_watch_ended(struct collector *c, int pid, int status);

#endif
