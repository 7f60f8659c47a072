/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which entries of a node's timeline the verdict looks at: those by which it tells how the job ended, and what failed. A thousand nodes
 * may be merged, and users decide how many processes fail: so there are few.
 */
#ifndef STINT_KEPT_H
#define STINT_KEPT_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Chooses them from the timeline of @record, a node's record that was not settled: the end of the job script, the commands that it did
 * not find, those that ended badly first, in the script's step also last, the first of each tool with each exit status, of
 * the shells and timeouts among them the last command and what made them fail, what had forked those that ran no program, or had started those that were ended in good order, and mpirun and its daemons.
 *
 * @keep: as long as the timeline, all false; gets true for each entry to keep
 */
void kept_choose(struct json_object *record, bool *keep);

#endif
