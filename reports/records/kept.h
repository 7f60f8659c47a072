/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the entries of a node's timeline for the verdict: how the job ended, and what failed. Chooses only a few,
 * because a report may merge a thousand nodes.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include <stdbool.h>

#include "reports/records/record.h"

/*
 * Marks the chosen entries as judged, and @record as chosen. Chooses:
 * - the end of the job script, and commands that it did not find
 * - the entries that ended badly first
 * - the entries of the script's step that ended badly last
 * - the first entry for each pair of tool and exit status
 * - the last command of a shell or timeout
 * - the last child of a shell or timeout with the same exit code
 * - the first failed children of xargs and similar programs
 * - the parent of a fork or a dismissed process, and the parent's last fork
 * - mpirun and its daemons
 */
void kept_choose(struct record *record);

/* Works like kept_choose(), but marks only @judged, an array with an item for each entry. */
void kept_find(const struct record *record, bool *judged);

#endif
