/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes jobs that left the node without an epilog. Otherwise these jobs would fill the kernel's maps.
 *
 * With stint_contain.so, there is no epilog. With stint.so, an epilog is missing if slurmd was not restarted after a
 * change of plugstack.conf.
 */
#ifndef STINT_OVERDUE_H
#define STINT_OVERDUE_H

#include "collector/collector.h"

/*
 * Call once a second. Closes jobs that left the node epilog_wait_s (stint.conf) ago. Counts jobs that left the node
 * half of this time ago.
 *
 * A job has left the node if no process is left, and its extern or batch step and all known steps are over. A job that
 * has neither an extern nor a batch step here may pause between steps, so it waits for its epilog.
 */
void overdue_tick(struct collector *c);

/* Closes jobs that get no epilog, if all their steps are over. Slurm may end the extern step before other steps. */
void overdue_extern_ended(struct collector *c);

#endif
