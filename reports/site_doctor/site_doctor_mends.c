/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for the checks of the store's host. */
#include <stdio.h>
#include <unistd.h>

#include "common/time_text.h"
#include "reports/site_doctor/site_doctor.h"

#define LATE_US (300 * US_PER_S) /* for a long pass */
#define LATE_PASSES 5

const char *site_doctor_as_user(const struct site_doctor *site, const char *command, char text[SITE_DOCTOR_MEND])
{
	if (site->uid == geteuid())
		snprintf(text, SITE_DOCTOR_MEND, "%s", command);
	else
		snprintf(text, SITE_DOCTOR_MEND, "runuser -u %s -- %s", site->user, command);
	return text;
}

const char *site_doctor_start(const struct site_doctor *site, const char *unit, const char *command, char text[SITE_DOCTOR_MEND])
{
	if (!site->systemd)
		return site_doctor_as_user(site, command, text);
	snprintf(text, SITE_DOCTOR_MEND, "systemctl start %s; if that fails: journalctl -u %s -n 50", unit, unit);
	return text;
}

bool site_doctor_is_late(const struct site_doctor *site, int64_t since_us)
{
	return since_us && site->now_us - since_us > LATE_PASSES * site->pass_us + LATE_US;
}
