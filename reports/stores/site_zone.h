/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the time zone in which a site's databases count days. */
#ifndef STINT_SITE_ZONE_H
#define STINT_SITE_ZONE_H

#include "reports/database/database.h"
#include "reports/ingest/site_conf.h"

#define SITE_ZONE "time_zone" /* the database's setting */

/*
 * Sets this process's time zone to the time zone of the database. Stores the zone in a new database, unless @read_only.
 *
 * Returns 0; -1 with @err set, also if an earlier database counts days in another zone.
 */
int site_zone_use(struct database *db, const struct site_conf *conf, bool read_only, struct error *err);

#endif
