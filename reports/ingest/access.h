/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out who may see other users' jobs: Slurm's operators, administrators and coordinators, and the members of
 * the groups in the site's view_groups.
 */
#ifndef STINT_ACCESS_H
#define STINT_ACCESS_H

#include "reports/database/database.h"
#include "reports/facts/names.h"

/*
 * Replaces the rows of @cluster in the table "access" with those for the people who may see other users' jobs now.
 *
 * @people: lines of JSON that slurm_people() returned
 * @view_groups: names of groups, separated by blanks or commas
 *
 * Returns 0; -1 with @err set and nothing changed.
 */
int access_learn(struct database *db, struct names *names, int64_t cluster, const char *people, const char *view_groups,
		 struct error *err);

#endif
