/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_doctor/site_doctor.h"

#include "common/time_text.h"
#include "reports/ingest/moments.h"

#define PASS_US (120 * US_PER_S) /* of stint-ingest.timer */

void site_doctor_look(struct site_doctor *site)
{
	site->now_us = moment_now();
	site->pass_us = PASS_US;
	if (!site_doctor_conf(site))
		return;
	site_doctor_open(site);
	site_doctor_timers(site);
	site_doctor_database(site);
	site_doctor_batches(site);
	site_doctor_space(site);
	database_close(site->db);
}
