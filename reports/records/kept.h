/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which entries of a node's timeline the verdict looks at: those by which it tells how the job ended, and what failed. A thousand nodes
 * may be merged, and users decide how many processes fail: so there are few.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include "reports/records/record.h"

/*
 * Marks these entries of @record's timeline as judged, and @record as chosen:
 *
 * - the end of the job script
 * - the commands that the job script did not find
 * - the processes that ended badly first, and in the script's step also those that did so last
 * - the first process of each tool with each exit status
 * - of shells and timeouts among these: the last command, and the child that made them fail
 * - the parents of forked children that were lost, and of processes that were ended in good order
 * - mpirun and its daemons
 */
void kept_choose(struct record *record);

#endif
