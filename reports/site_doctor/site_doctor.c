/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_doctor/site_doctor.h"

#include <stdlib.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/groups/moments.h"

#define PASS_US (120 * US_PER_S) /* of stint-ingest.timer */

/* What was found in one of several databases. */
struct seen {
	struct database *db;
	int64_t looked_us, ingested_us, reconciled_us;
};

static void choose(struct site_doctor *site, size_t which)
{
	if (site->conf.database_count)
		site_conf_choose(&site->conf, which);
	site->doctor->whose = site->conf.database_count > 1 ? site_conf_whose(&site->conf.databases[which]) : NULL;
}

static void open_all(struct site_doctor *site, struct seen *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		choose(site, i);
		site->looked_us = site->ingested_us = site->reconciled_us = 0;
		site_doctor_open(site);
		list[i] = (struct seen){ site->db, site->looked_us, site->ingested_us, site->reconciled_us };
	}
	site->doctor->whose = NULL;
}

/* Checks of all databases use the oldest time of each kind. */
static void take_oldest(struct site_doctor *site, const struct seen *list, size_t count)
{
	site->looked_us = list[0].looked_us;
	site->reconciled_us = list[0].reconciled_us;
	for (size_t i = 1; i < count; i++) {
		if (list[i].looked_us < site->looked_us)
			site->looked_us = list[i].looked_us;
		if (list[i].reconciled_us < site->reconciled_us)
			site->reconciled_us = list[i].reconciled_us;
	}
}

static void check_all(struct site_doctor *site, const struct seen *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		choose(site, i);
		site->db = list[i].db;
		site->looked_us = list[i].looked_us;
		site->ingested_us = list[i].ingested_us;
		site->reconciled_us = list[i].reconciled_us;
		site_doctor_database(site);
		database_close(site->db);
	}
	site->db = NULL;
	site->doctor->whose = NULL;
}

void site_doctor_look(struct site_doctor *site)
{
	cleanup_free struct seen *list = NULL;
	size_t count;

	site->now_us = moment_now();
	site->pass_us = PASS_US;
	if (!site_doctor_conf(site))
		return;
	count = site->conf.database_count ? site->conf.database_count : 1;
	list = calloc(count, sizeof(*list));
	if (list) {
		open_all(site, list, count);
		take_oldest(site, list, count);
		site_doctor_timers(site);
		check_all(site, list, count);
		take_oldest(site, list, count);
		site_doctor_batches(site);
		site_doctor_space(site);
	}
	site_conf_free(&site->conf);
}
