/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job's AdminComment in slurmdbd. slurmctld refuses to change that of a job that has ended, which it has when its epilog runs. */
#ifndef STINT_COMMENT_H
#define STINT_COMMENT_H

#include <stdint.h>

/*
 * Sets the AdminComment of one job, the latest of its attempts.
 *
 * @job: its id, or for an array's task "ARRAY_TASK": by the plain id of an array's last task, which is the array's
 *       too, all its tasks would get the comment
 *
 * Returns NULL; else why it was not set, one line.
 */
const char *comment_set(const char *cluster, const char *job, const char *text);

#endif
