/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the store's units of systemd. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "common/time_text.h"
#include "reports/site_doctor/site_doctor.h"

#define ANSWER_MS 5000
#define ANSWER_MAX (1u << 16)
#define INTERVAL "OnUnitInactiveUSec="

/* Returns lines NAME=VALUE, which the caller frees; NULL with @err set if systemd does not answer. */
static char *ask(const char *unit, const char *properties, struct error *err)
{
	const char *const arguments[] = { "systemctl", "show", properties, unit, NULL };

	return subprocess_output(arguments, ANSWER_MS, ANSWER_MAX, NULL, err);
}

static bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at += length)
		if ((at == text || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* Returns a time span like "1h 30min" in us; 0 if @text is no time span. */
static int64_t span_us(const char *text)
{
	static const struct {
		const char *unit;
		int64_t seconds;
	} units[] = { { "min", 60 }, { "s", 1 }, { "h", 3600 }, { "d", 86400 } };
	int64_t sum = 0;

	for (char *end; *text >= '0' && *text <= '9'; text = end + strspn(end, " ")) {
		long count = strtol(text, &end, 10);
		size_t i = 0, length = strcspn(end, " ;\n");

		while (i < sizeof(units) / sizeof(units[0]) &&
		       (strlen(units[i].unit) != length || strncmp(units[i].unit, end, length) != 0))
			i++;
		if (i == sizeof(units) / sizeof(units[0]) || count > 1000000)
			return 0;
		sum += count * units[i].seconds * US_PER_S;
		end += length;
	}
	return sum;
}

/*
 * @answer: of systemd
 * @instead: the timer may be off, because another process does its work
 */
static void check_timer(struct site_doctor *site, const char *unit, const char *answer, bool instead)
{
	char mend[256];

	if (has_line(answer, "LoadState=not-found")) {
		doctor_say(site->doctor, instead ? DOCTOR_INFO : DOCTOR_WARN, unit, "install the package stint-site, which has it",
			   "systemd does not know it");
		return;
	}
	snprintf(mend, sizeof(mend), "systemctl enable --now %s", unit);
	if (!has_line(answer, "ActiveState=active"))
		doctor_say(site->doctor, instead ? DOCTOR_INFO : DOCTOR_WARN, unit, mend, "it is not active%s",
			   instead ? ", but something else does its work" : "");
	else if (!has_line(answer, "UnitFileState=enabled"))
		doctor_say(site->doctor, DOCTOR_WARN, unit, mend, "it is active, but not enabled: it does not start after a reboot");
	else
		doctor_say(site->doctor, DOCTOR_OK, unit, NULL, "enabled and active");
}

/* A run also counts as failed if it refused a batch. */
static void check_service(struct site_doctor *site, const char *unit)
{
	struct error err;
	cleanup_free char *answer = ask(unit, "--property=ActiveState,Result,ExecMainStatus", &err);
	char mend[256];

	if (!answer || !has_line(answer, "ActiveState=failed"))
		return;
	snprintf(mend, sizeof(mend), "read why: journalctl -u %s -n 50", unit);
	doctor_say(site->doctor, DOCTOR_WARN, unit, mend, "its last run has failed");
}

void site_doctor_timers(struct site_doctor *site)
{
	static const char properties[] = "--property=LoadState,ActiveState,UnitFileState,TimersMonotonic";
	struct error err;
	cleanup_free char *ingest = ask("stint-ingest.timer", properties, &err), *reconcile = NULL;
	const char *interval;

	if (!ingest) {
		doctor_say(site->doctor, DOCTOR_INFO, "timers", NULL,
			   "systemd does not run here (%s): something else must start 'stint ingest' every few minutes, and "
			   "'stint ingest --reconcile' each night", err.text);
		return;
	}
	site->systemd = true;
	interval = strstr(ingest, INTERVAL);
	if (interval && span_us(interval + strlen(INTERVAL)))
		site->pass_us = span_us(interval + strlen(INTERVAL));
	/* recent batches mean that 'stint ingest --watch' or another timer runs */
	check_timer(site, "stint-ingest.timer", ingest, site->looked_us && !site_doctor_is_late(site, site->looked_us));
	check_service(site, "stint-ingest.service");
	reconcile = ask("stint-reconcile.timer", properties, &err);
	if (reconcile)
		check_timer(site, "stint-reconcile.timer", reconcile,
			    site->reconciled_us && site->now_us - site->reconciled_us < 2 * 86400 * US_PER_S);
	check_service(site, "stint-reconcile.service");
}
