/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the entries of a node's timeline from which the verdict finds out how the job ended, and what failed.
 * Chooses only a few, because a report may merge a thousand nodes, and because users decide how many processes fail.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include <stdbool.h>

#include "reports/records/record.h"

/*
 * Marks the chosen entries as judged in the timeline of @record, and marks the record as chosen. Chooses:
 * - the end of the job script, and the commands that it did not find
 * - the entries that ended badly first, and in the script's step also those that ended badly last
 * - the first entry of each tool with each exit status
 * - for each chosen shell or timeout, its last command, and its last child with the same exit code
 * - for each chosen xargs or similar program, whose exit code says only that something failed, its first children
 *   that failed
 * - the parents of chosen entries that ran no program of their own (forks) or were dismissed, and the last process
 *   that such a parent forked after the chosen entry had ended
 * - mpirun and its daemons
 */
void kept_choose(struct record *record);

/*
 * Like kept_choose(), but leaves @record unchanged, and marks the entries in @judged, which has an item for each
 * entry of the timeline of @record.
 */
void kept_find(const struct record *record, bool *judged);

#endif
