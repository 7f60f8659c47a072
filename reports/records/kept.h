/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the entries of a node's timeline that the verdict looks at. From these entries the verdict tells how the job
 * ended, and what failed. There must be few of them, because a report may merge a thousand nodes, and users decide how
 * many processes fail.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include <stdbool.h>

#include "reports/records/record.h"

/*
 * Marks the chosen entries as judged in the timeline of @record, and marks the record as chosen. The entries are
 *   - the end of the job script, and the commands that it did not find;
 *   - the entries that ended badly first, and in the script's step also the entries that ended badly last;
 *   - the first entry of each tool with each exit status;
 *   - for each chosen shell or timeout, its last command, and its last child with the same exit code;
 *   - for each chosen xargs or the like, whose exit code says only that something failed, the first children that failed;
 *   - the parents of chosen entries that ran no program of their own (forks) or were dismissed, and the last process that
 *     such a parent forked after the chosen entry had ended;
 *   - mpirun and its daemons.
 */
void kept_choose(struct record *record);

/* Sets @judged, which has an item for each entry of the timeline of @record, in the same way, and leaves @record as it is. */
void kept_find(const struct record *record, bool *judged);

#endif
