/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes jobs that have left the node without an epilog. With stint_contain.so, jobs have no epilog. With stint.so, the
 * epilog may not come: for example, if slurmd was not restarted after stint's line was added to plugstack.conf, slurmd
 * does not know the epilog. Without this file such a job would stay open, and in the kernel's maps, for ever.
 */
#ifndef STINT_OVERDUE_H
#define STINT_OVERDUE_H

#include "collector/collector.h"

/*
 * Call once a second. Closes the jobs that left the node at least epilog_wait_s (stint.conf) ago. Counts the jobs for
 * which half of this time has passed.
 *
 * A job has left if its extern or batch step and all its other known steps are over, and none of its processes is left.
 * If a job has neither an extern nor a batch step here, long pauses between its steps are possible, and nothing on the
 * node tells when the job is over. Such a job waits for its epilog.
 */
void overdue_tick(struct collector *c);

/*
 * Closes the jobs for which no epilog will come, and whose extern step and all other steps are over. Slurm ends the
 * extern step when it ends the job, possibly while other steps are still ending.
 */
void overdue_extern_ended(struct collector *c);

#endif
