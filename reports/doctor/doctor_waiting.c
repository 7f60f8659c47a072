/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what waits on this node, even if stintd does not run. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "common/time_text.h"
#include "common/spool/waiting.h"
#include "reports/doctor/doctor.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"

#define RECORD_S 30 /* so long after its end, a job must have a report */
#define LINE_S 120  /* so long after store_interval_s, a line must have been sent */

#define SINCE_TEXT (TIME_TEXT + DURATION_TEXT + 8)

/* "2026-11-29T10:00:00.000+00:00 (41 min)" */
static const char *since_text(int64_t unix_s, char text[SINCE_TEXT])
{
	char moment[TIME_TEXT], age[DURATION_TEXT];
	int64_t age_s = (int64_t)time(NULL) - unix_s;

	snprintf(text, SINCE_TEXT, "%s (%s)", time_text(unix_s * NS_PER_S, moment),
		 worded_duration_text(age_s > 0 ? (double)age_s : 0, age));
	return text;
}

static bool is_older(int64_t unix_s, int64_t limit_s)
{
	return unix_s && (int64_t)time(NULL) - unix_s > limit_s;
}

static void say_records(struct doctor *doctor, const struct waiting *waiting)
{
	const struct waiting_files *records = &waiting->records;
	char size[SIZE_TEXT], since[SINCE_TEXT];

	if (!records->count)
		doctor_say(doctor, DOCTOR_OK, "records", NULL, "none waits for its report");
	else if (!is_older(records->oldest_unix_s, RECORD_S))
		doctor_say(doctor, DOCTOR_OK, "records", NULL, "%" PRIu64 " %s report", records->count,
			   plural_verb(records->count, "is on its way to its", "are on their way to their"));
	else
		doctor_say(doctor, DOCTOR_WARN, "records", "see stintd's log: it names what each waits for",
			   "%" PRIu64 " (%s) %s report, the oldest since %s", records->count, size_text(records->bytes, size),
			   plural_verb(records->count, "waits for its", "wait for their"),
			   since_text(records->oldest_unix_s, since));
	if (waiting->reserve.count)
		doctor_say(doctor, DOCTOR_WARN, "records", "let stintd write spool_dir, as the log says, and deliver them before a reboot",
			   "%" PRIu64 " of them %s in run_dir, because spool_dir could not be written: a reboot loses them",
			   waiting->reserve.count, plural_verb(waiting->reserve.count, "is", "are"));
}

/* "3 lines and 1 batch (12 KiB)" */
static void put_lines(const struct waiting *waiting, char *text, size_t length)
{
	char size[SIZE_TEXT];

	snprintf(text, length, "%" PRIu64 " line%s and %" PRIu64 " batch%s (%s)", waiting->lines.count,
		 plural(waiting->lines.count), waiting->batches.count, plural_es(waiting->batches.count),
		 size_text(waiting->lines.bytes + waiting->batches.bytes, size));
}

static void say_lines(struct doctor *doctor, const struct waiting *waiting, bool store_fails)
{
	int64_t oldest = waiting_older(waiting->lines.oldest_unix_s, waiting->batches.oldest_unix_s);
	char what[128], since[SINCE_TEXT];

	put_lines(waiting, what, sizeof(what));
	if (!conf_has_store(doctor->conf)) {
		if (oldest)
			doctor_say(doctor, DOCTOR_INFO, "store", NULL, "it is off, but %s wait in spool_dir/" STORE_BACKLOG
				   " since %s", what, since_text(oldest, since));
		return;
	}
	if (!oldest && !store_fails)
		doctor_say(doctor, DOCTOR_OK, "store", NULL, "no line waits for it");
	else if (is_older(oldest, doctor->conf->store_interval_s + LINE_S))
		doctor_say(doctor, DOCTOR_WARN, "store", "see stintd's log: it says why the store does not get them",
			   "%s wait for it, the oldest since %s", what, since_text(oldest, since));
	else if (!store_fails)
		doctor_say(doctor, DOCTOR_OK, "store", NULL, "%s are on their way to it, the oldest since %s", what,
			   since_text(oldest, since));
}

void doctor_waiting(struct doctor *doctor, bool store_fails)
{
	struct waiting_seen seen = { 0 };
	struct waiting waiting;

	/* The check of spool_dir reports an error. */
	if (waiting_look(&waiting, &seen, doctor->conf) < 0 && !waiting.reserve.count)
		return;
	say_records(doctor, &waiting);
	say_lines(doctor, &waiting, store_fails);
}
