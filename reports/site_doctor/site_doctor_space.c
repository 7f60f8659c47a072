/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/cleanup.h"
#include "reports/json/units.h"
#include "reports/site_doctor/site_doctor.h"

#define LITTLE_SHARE 0.05
#define LITTLE_BYTES (20.0 * 1024 * 1024 * 1024) /* always enough */

/* A file or directory of the store. */
struct place {
	const char *key;
	char path[PATH_MAX];
	dev_t device;
	bool known;
};

static void find_place(struct place *place, const char *key, const char *path)
{
	struct stat st;

	place->key = key;
	snprintf(place->path, sizeof(place->path), "%s", path);
	while (!(place->known = stat(place->path, &st) == 0) && strrchr(place->path, '/') > place->path)
		*strrchr(place->path, '/') = '\0';
	place->device = place->known ? st.st_dev : 0;
}

/* Writes the keys of all places on the file system of place @at. Returns false if they were written before. */
static bool put_keys(const struct place *places, size_t count, size_t at, char keys[128])
{
	keys[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		if (!places[i].known || places[i].device != places[at].device)
			continue;
		if (i < at)
			return false;
		if (i > at && places[i].key == places[i - 1].key && places[i - 1].device == places[at].device)
			continue; /* another database there */
		snprintf(keys + strlen(keys), 128 - strlen(keys), "%s%s", keys[0] ? ", " : "", places[i].key);
	}
	return true;
}

static void say_space(struct site_doctor *site, const struct place *place, const char *keys)
{
	char mend[SITE_DOCTOR_MEND], free_text[SIZE_TEXT], all_text[SIZE_TEXT];
	struct statvfs fs;
	double bytes, all;

	if (statvfs(place->path, &fs) < 0)
		return;
	bytes = (double)fs.f_bavail * (double)fs.f_frsize;
	all = (double)fs.f_blocks * (double)fs.f_frsize;
	snprintf(mend, sizeof(mend), "see what takes it (du -x -d 2 %s), make room, or name another %s in site.conf", place->path, place->key);
	size_text(bytes, free_text);
	size_text(all, all_text);
	if (fs.f_flag & ST_RDONLY)
		doctor_say(site->doctor, DOCTOR_FAIL, "space", "mount it writable", "%s (%s): its file system is mounted read-only", place->path, keys);
	else if (fs.f_blocks && fs.f_bavail == 0)
		doctor_say(site->doctor, DOCTOR_FAIL, "space", mend, "%s (%s): its file system is full", place->path, keys);
	else if (fs.f_files && fs.f_favail == 0)
		doctor_say(site->doctor, DOCTOR_FAIL, "space", mend, "%s (%s): its file system can take no more files", place->path, keys);
	else if (bytes < LITTLE_SHARE * all && bytes < LITTLE_BYTES)
		doctor_say(site->doctor, DOCTOR_WARN, "space", mend, "%s (%s): only %s of %s are free", place->path, keys, free_text, all_text);
	else
		doctor_say(site->doctor, DOCTOR_OK, "space", NULL, "%s (%s): %s of %s are free", place->path, keys, free_text, all_text);
}

static size_t find_files(const struct site_conf *conf, struct place *places)
{
	static const char key[] = "database";
	size_t count = 0;

	if (!conf->database_count && conf->database[0] == '/')
		find_place(&places[count++], key, conf->database);
	for (size_t i = 0; i < conf->database_count; i++)
		if (conf->databases[i].where[0] == '/')
			find_place(&places[count++], key, conf->databases[i].where);
	return count;
}

void site_doctor_space(struct site_doctor *site)
{
	cleanup_free struct place *places = calloc(site->conf.database_count + 3, sizeof(*places));
	char keys[128];
	size_t count;

	if (!places)
		return;
	count = find_files(&site->conf, places);
	find_place(&places[count++], "archive_dir", site->conf.archive_dir);
	find_place(&places[count++], "store_dir", site->conf.store_dir);
	for (size_t i = 0; i < count; i++)
		if (places[i].known && put_keys(places, count, i, keys))
			say_space(site, &places[i], keys);
}
