/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that have left the node without an epilog to close them. stint_contain.so has none, and that of stint.so may not
 * come: for example, slurmd was not restarted since stint's line came into plugstack.conf, so it knows no epilog. Such
 * a job would stay open, and in the kernel's maps, for ever.
 */
#ifndef STINT_OVERDUE_H
#define STINT_OVERDUE_H

#include "collector/collector.h"

/*
 * Call once a second. Closes the jobs that left the node stint.conf's epilog_wait_s ago or earlier, and counts those
 * for which half of that time is over.
 *
 * A job has left when its extern step, or its batch step, and all other known steps are over, and none of its processes
 * is left. If a job has neither of these two steps here, its steps may come with long pauses, and nothing on the node
 * says when it is over: such a job waits for its epilog.
 */
void overdue_tick(struct collector *c);

/*
 * Closes the jobs for which no epilog will come, and whose extern step and all other steps are over. Slurm ends the
 * extern step when it ends the job, and may do so while other steps still end.
 */
void overdue_extern_ended(struct collector *c);

#endif
