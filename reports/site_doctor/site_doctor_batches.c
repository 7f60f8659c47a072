/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/time_text.h"
#include "reports/ingest/store_waiting.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/site_doctor/site_doctor.h"

#define LOOKED_BEFORE_US (60 * US_PER_S) /* the last pass may miss later batches */

static void say_waiting(struct site_doctor *site, const struct store_waiting *waiting)
{
	int64_t age_s = (site->now_us - waiting->oldest_us) / US_PER_S;
	char size[SIZE_TEXT], age[DURATION_TEXT], mend[SITE_DOCTOR_MEND];

	worded_duration_text(age_s > 0 ? (double)age_s : 0, age);
	size_text((double)waiting->bytes, size);
	if (!waiting->count)
		doctor_say(site->doctor, DOCTOR_OK, "batches", NULL, "none waits in %s/new", site->conf.store_dir);
	else if (!site_doctor_is_late(site, waiting->oldest_us))
		doctor_say(site->doctor, DOCTOR_OK, "batches", NULL, "%" PRId64 " (%s) %s for the next stint ingest", waiting->count, size,
			   plural_verb((double)waiting->count, "waits", "wait"));
	else
		doctor_say(site->doctor, DOCTOR_WARN, "batches", site_doctor_start(site, "stint-ingest.service", "stint ingest", mend),
			   "%" PRId64 " (%s) %s in %s/new, the oldest for %s", waiting->count, size,
			   plural_verb((double)waiting->count, "waits", "wait"), site->conf.store_dir, age);
}

/*
 * Writes what to do with a refused batch.
 *
 * @why: the reason, after the name of the batch; may be empty
 */
static void write_mend(const struct site_doctor *site, const char *why, char mend[SITE_DOCTOR_MEND])
{
	int name = (int)strcspn(why, ":");

	if (!*why)
		site_doctor_start(site, "stint-ingest.service", "stint ingest", mend);
	else if (strstr(why, SITE_NO_DATABASE))
		snprintf(mend, SITE_DOCTOR_MEND, "add database.CLUSTER = ... to site.conf, or remove the file: rm %s/new/*/%.*s",
			 site->conf.store_dir, name, why);
	else if (strstr(why, "site.conf"))
		snprintf(mend, SITE_DOCTOR_MEND, "add its cluster to clusters = in site.conf, or remove the file: rm %s/new/*/%.*s",
			 site->conf.store_dir, name, why);
	else if (strstr(why, "belongs to user"))
		snprintf(mend, SITE_DOCTOR_MEND, "set store_user in site.conf, or chown %s %s/new/*/%.*s", site->user,
			 site->conf.store_dir, name, why);
	else
		snprintf(mend, SITE_DOCTOR_MEND, "see who made it, and move it away: mv %s/new/*/%.*s /var/tmp", site->conf.store_dir, name, why);
}

static void check_refused(struct site_doctor *site)
{
	struct store_refusals refusals = { .before_us = site->looked_us - LOOKED_BEFORE_US, .owner = site->uid,
					   .conf = &site->conf };
	char mend[SITE_DOCTOR_MEND];
	struct error err;

	if (!site->looked_us || store_waiting_refused(site->conf.store_dir, &refusals, &err) < 0 || !refusals.count)
		return;
	write_mend(site, refusals.first.text, mend);
	doctor_say(site->doctor, DOCTOR_WARN, "refused batches", mend, "stint ingest has left %" PRId64 " batch%s where %s: %s",
		   refusals.count, plural_es((double)refusals.count), plural_verb((double)refusals.count, "it is", "they are"),
		   refusals.first.text[0] ? refusals.first.text : "each run says why");
}

static void say_unusable(struct site_doctor *site, const char *subject, const char *path, int why)
{
	char mend[SITE_DOCTOR_MEND];

	if (why == ENOENT)
		snprintf(mend, sizeof(mend), "mount its file system, or make it: install -d -m 0750 -o %s %s", site->user, path);
	else if (why == EACCES && geteuid() != 0)
		snprintf(mend, sizeof(mend), "run 'stint doctor' as root, or as %s", site->user);
	else
		snprintf(mend, sizeof(mend), "name another %s in site.conf", subject);
	doctor_say(site->doctor, why == EACCES ? DOCTOR_WARN : DOCTOR_FAIL, subject, mend, "%s: %s: nothing is ingested", path,
		   strerror(why));
}

static bool check_directory(struct site_doctor *site, const char *subject, const char *path)
{
	char mend[SITE_DOCTOR_MEND];
	struct stat st;

	if (stat(path, &st) < 0 || (!S_ISDIR(st.st_mode) && (errno = ENOTDIR)) || access(path, R_OK | X_OK) < 0) {
		say_unusable(site, subject, path, errno);
		return false;
	}
	if (site->has_user && st.st_uid != site->uid) {
		snprintf(mend, sizeof(mend), "chown %s %s", site->user, path);
		doctor_say(site->doctor, DOCTOR_WARN, subject, mend, "%s: it belongs to user %u, and not to %s, who runs stint ingest", path,
			   st.st_uid, site->user);
	} else {
		doctor_say(site->doctor, DOCTOR_OK, subject, NULL, "%s, of %s", path, site->user);
	}
	return true;
}

/* stint ingest makes the archive's directory, but not the directory above. */
static void check_archive(struct site_doctor *site)
{
	const char *path = site->conf.archive_dir, *slash = strrchr(path, '/');
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%.*s", slash > path ? (int)(slash - path) : 1, path);
	if (access(path, F_OK) < 0 && errno == ENOENT && access(parent, F_OK) == 0)
		doctor_say(site->doctor, DOCTOR_INFO, "archive_dir", NULL, "%s: the first stint ingest makes it", path);
	else
		check_directory(site, "archive_dir", path);
}

void site_doctor_batches(struct site_doctor *site)
{
	struct store_waiting waiting;
	struct error err;

	check_archive(site);
	if (!check_directory(site, "store_dir", site->conf.store_dir))
		return;
	if (store_waiting_count(site->conf.store_dir, &waiting, &err) < 0) {
		doctor_say(site->doctor, DOCTOR_WARN, "batches", "run 'stint doctor' as root, or as the user who runs stint ingest", "%s", err.text);
		return;
	}
	say_waiting(site, &waiting);
	check_refused(site);
}
