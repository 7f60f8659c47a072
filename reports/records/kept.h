/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the entries of a node's timeline that the verdict looks at: those from which it tells how the job ended, and
 * what failed. They must be few: a thousand nodes may be merged, and users decide how many processes fail.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include "reports/records/record.h"

/*
 * Marks these entries as judged in the timeline of @record, and marks the record as chosen. The entries are
 *   - the end of the job script, and the commands that it did not find;
 *   - those that ended badly first, and in the script's step also those that ended badly last;
 *   - the first one of each tool with each exit status;
 *   - for the shells and timeouts among these: their last command, and their last child with the same exit code;
 *   - the parents of chosen entries that ran no program of their own (forks) or were dismissed;
 *   - mpirun and its daemons.
 */
void kept_choose(struct record *record);

#endif
