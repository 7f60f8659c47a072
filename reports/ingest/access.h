/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out who may see other users' jobs: operators, administrators and coordinators of Slurm, and the members of
 * view_groups.
 */
#ifndef STINT_ACCESS_H
#define STINT_ACCESS_H

#include "reports/database/database.h"
#include "reports/facts/names.h"

/*
 * Replaces the rows of @cluster in the table "access" with rows for the people who may see other users' jobs.
 *
 * @people: lines of JSON from slurm_people()
 * @view_groups: names of groups, with blanks or commas between
 *
 * Returns 0; -1 with @err set and nothing changed.
 */
int access_learn(struct database *db, struct names *names, int64_t cluster, const char *people, const char *view_groups,
		 struct error *err);

#endif
