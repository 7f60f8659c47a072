/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/archives.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "reports/facts/site_tables.h"
#include "reports/ingest/archive.h"

int archives_is_one(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(".ndjson.zst");

	return entry->d_name[0] != '.' && length > suffix && strcmp(entry->d_name + length - suffix, ".ndjson.zst") == 0;
}

/* Returns whether the cluster of the archive @name belongs to the chosen database, or is in @stored. */
static bool is_own(const char *name, const struct site_conf *conf, const struct map *stored)
{
	char cluster[ARCHIVE_NAME_MAX];

	if (!conf->database_count)
		return true;
	return archive_cluster(name, cluster) && (site_conf_database_of(conf, cluster) == conf->chosen ||
						   (stored && map_find(stored, cluster, strlen(cluster))));
}

/* Like archives_found(), but also counts the clusters in @stored, which may be NULL. */
static int find_archived(const struct site_conf *conf, const struct map *stored, struct error *err)
{
	cleanup_closedir DIR *directory = opendir(conf->archive_dir);
	const struct dirent *entry;
	struct stat st;

	if (!directory)
		return errno == ENOENT ? 0 : error_errno(err, "%s", conf->archive_dir);
	while ((errno = 0, entry = readdir(directory)))
		if (archives_is_one(entry) && is_own(entry->d_name, conf, stored) &&
		    fstatat(dirfd(directory), entry->d_name, &st, 0) == 0 && st.st_size > 0)
			return 1;
	return errno ? error_errno(err, "%s", conf->archive_dir) : 0;
}

bool archives_is_foreign(const char *name, const struct site_conf *conf)
{
	char cluster[ARCHIVE_NAME_MAX];

	return archive_cluster(name, cluster) && !is_own(name, conf, NULL);
}

int archives_found(const struct site_conf *conf, struct error *err)
{
	return find_archived(conf, NULL, err);
}

static int note_cluster(void *context, const struct database_value *row, struct error *err)
{
	return map_get(context, row[0].data, row[0].size) ? 0 : error_set(err, "out of memory");
}

/*
 * A cluster's row is never dropped, so the database has a cluster if it ever had a batch. A cluster may have moved to
 * another database. Until a rebuild, the cluster's rows stay in this database, so the cluster's batches count, too.
 */
int archives_compare(struct database *db, const struct site_conf *conf, bool *stored, bool *archived, struct error *err)
{
	struct map clusters = { 0 };
	int found = database_scan(db, &table_cluster, 0, note_cluster, &clusters, err);

	*stored = clusters.count > 0;
	if (found == 0)
		found = find_archived(conf, &clusters, err);
	*archived = found > 0;
	map_free(&clusters);
	return found < 0 ? -1 : 0;
}

int archives_check(struct database *db, const struct site_conf *conf, struct error *err)
{
	bool stored, archived;

	if (archives_compare(db, conf, &stored, &archived, err) < 0)
		return -1;
	return !stored && archived ? error_set(err, "the database is empty, but %.300s " ARCHIVES_GONE, conf->archive_dir) : 0;
}
