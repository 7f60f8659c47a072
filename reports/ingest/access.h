/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who sees others' jobs: Slurm's operators, administrators and coordinators, and the members of the site's view_groups.
 */
#ifndef STINT_ACCESS_H
#define STINT_ACCESS_H

#include "reports/database/database.h"
#include "reports/facts/names.h"

/*
 * Puts into the table "access" who that is in @cluster, in the place of who it was.
 *
 * @people: lines of JSON, as slurm_people() returns them
 * @view_groups: names with blanks or commas between
 *
 * Returns 0; -1 with @err set: then nothing is changed.
 */
int access_learn(struct database *db, struct names *names, int64_t cluster, const char *people, const char *view_groups,
		 struct error *err);

#endif
