/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a job that runs still, of what it has used so far: from the stintd of this node. */
#ifndef STINT_REPORT_SHOW_H
#define STINT_REPORT_SHOW_H

#include <json-c/json.h>

#include "collector/common/conf.h"
#include "reports/find.h"

/*
 * Adds to @rows the report so far of the job @name, which runs by what @slurm, stint-slurm-job's object, says (it is
 * changed). Such a report is "so_far", not complete, and has no advice: what is to come is not known.
 *
 * Returns 0; -1 with @err set to one line: why there is none, and where there is one.
 */
int show_running(struct rows *rows, const char *name, struct json_object *slurm, const struct conf *conf,
		 struct error *err);

#endif
