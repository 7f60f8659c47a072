/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes jobs that have left the node without an epilog. Otherwise such a job would stay open, and in the kernel's
 * maps, for ever. With stint_contain.so, jobs have no epilog. With stint.so, the epilog may not come. For example,
 * slurmd does not know the epilog if it was not restarted after stint's line was added to plugstack.conf.
 */
#ifndef STINT_OVERDUE_H
#define STINT_OVERDUE_H

#include "collector/collector.h"

/*
 * Call once a second. Closes the jobs that left the node at least epilog_wait_s (stint.conf) ago. Counts the jobs that
 * left the node at least half of epilog_wait_s ago.
 *
 * A job has left the node if its extern or batch step and all its other known steps are over, and none of its processes
 * is left. A job with neither an extern nor a batch step on this node may pause for a long time between its steps, and
 * nothing on the node tells when the job is over. Such a job waits for its epilog.
 */
void overdue_tick(struct collector *c);

/*
 * Closes each job that will get no epilog, if its extern step and all its other steps are over. Slurm ends the extern
 * step when it ends the job, but other steps may still be ending then.
 */
void overdue_extern_ended(struct collector *c);

#endif
