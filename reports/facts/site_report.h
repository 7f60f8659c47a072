/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a job, made anew of what the store has of it. */
#ifndef STINT_SITE_REPORT_H
#define STINT_SITE_REPORT_H

#include <json-c/json.h>

#include "reports/database/database.h"
#include "reports/verdict/rules.h"

/*
 * Makes the report of the job @job_id: where the id came again, of the latest, and of its last attempt. What the store
 * does not keep is named in its gaps.
 *
 * Returns it, to be put; NULL with @err set.
 */
struct json_object *site_report(struct database *db, int64_t job_id, const struct rules *rules, struct error *err);

#endif
