/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/stores/site_zone.h"

#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"

/* Returns the zone that /etc/localtime links to; "UTC" if it is no link to a zone. */
static const char *machine_zone(char *room, size_t size)
{
	ssize_t length = readlink("/etc/localtime", room, size - 1);
	const char *at;

	if (length <= 0)
		return "UTC";
	room[length] = '\0';
	at = strstr(room, "/zoneinfo/");
	return at ? at + strlen("/zoneinfo/") : "UTC";
}

static bool zone_good(const char *zone)
{
	char path[PATH_MAX];
	struct stat st;

	if (strcmp(zone, "UTC") == 0)
		return true;
	if (!*zone || strstr(zone, "..") || zone[0] == '/' || strlen(zone) > 64)
		return false;
	snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", zone);
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static const char *used; /* zone of the database that was opened before; NULL if no database was opened */

int site_zone_use(struct database *db, const struct site_conf *conf, bool read_only, struct error *err)
{
	char room[PATH_MAX];
	const char *wanted = conf->time_zone[0] ? conf->time_zone : machine_zone(room, sizeof(room));
	cleanup_free char *kept = NULL;

	err->text[0] = '\0';
	kept = database_setting(db, SITE_ZONE, err);
	if (err->text[0])
		return -1;
	if (kept && conf->time_zone[0] && strcmp(kept, conf->time_zone) != 0)
		return error_set(err, "the database counts days in the time zone %.64s, but site.conf says %.64s: a database keeps its zone", kept,
				 conf->time_zone);
	if (!zone_good(kept ? kept : wanted))
		return error_set(err, "time_zone: this machine knows no zone '%.64s'", kept ? kept : wanted);
	if (used && read_only && conf->database_count > 1 && strcmp(used, kept ? kept : wanted) != 0)
		return error_set(err, "the database counts days in the time zone %.64s, but another one of this site in %.64s",
				 kept ? kept : wanted, used);
	setenv("TZ", kept ? kept : wanted, 1);
	used = getenv("TZ");
	tzset();
	if (kept || read_only)
		return 0;
	if (database_begin(db, err) < 0)
		return -1;
	if (database_set(db, SITE_ZONE, wanted, err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}
