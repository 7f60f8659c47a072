/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/one_database.h"

#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/facts/checksum.h"
#include "reports/facts/site_tables.h"
#include "reports/ingest/archives.h"
#include "reports/ingest/ingest.h"
#include "reports/site_cmd/failure.h"
#include "reports/site_cmd/ingest_database.h"
#include "reports/stores/site_zone.h"
#include "reports/terminal/output.h"

#define RENEW_WAIT_S 5

static struct database *renew(const struct site_conf *conf, struct database_renewal *renewal, struct error *err)
{
	struct database *db = database_renew(conf->database, site_tables, renewal, err);

	for (int i = 0; !db && renewal->busy && i < RENEW_WAIT_S; i++) {
		sleep(1);
		db = database_renew(conf->database, site_tables, renewal, err);
	}
	if (db && renewal->moved[0])
		fprintf(stderr,
			"%s: %s: %s: stint moved the file to %s, and makes a new database from the "
			"archive\n",
			failure_who, conf->database, renewal->why.text, renewal->moved);
	return db;
}

/*
 * Opens the database for a rebuild although the archive has no batches. If that fails, the message says that
 * nothing can replace the database.
 */
static struct database *open_only(const struct site_conf *conf, struct error *err)
{
	struct error why;
	struct database *db = database_open(conf->database, site_tables, false, &why);

	if (!db)
		error_set(err, "%.300s; %.200s has no batches to make it again from", why.text, conf->archive_dir);
	return db;
}

/*
 * Rebuilds the database from the archive. If the database proves to be damaged while it is read or written,
 * moves its file away, and begins again with a new file.
 */
static int rebuild(const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct database_renewal renewal = { .mark = INGEST_REBUILDING, .keep = SITE_ZONE };
	bool damaged = false;
	struct error err;
	int result, archived = archives_found(conf, &err);

	if (archived < 0)
		return fail(err.text);
	do {
		struct database *db = archived ? renew(conf, &renewal, &err) : open_only(conf, &err);

		if (!db)
			return renewal.busy ? say_busy() : fail(err.text);
		if (site_zone_use(db, conf, false, &err) < 0)
			result = ingest_fail_at(db, arguments, err.text);
		else
			result = ingest_database(db, conf, arguments);
		damaged = result != EXIT_SUCCESS && database_damaged(db);
		database_close(db);
		if (damaged && !archived)
			return fail(ingest_damage.text);
		if (damaged && renewal.moved[0])
			return fail("the new database is damaged as well: check its disk");
		renewal.damaged = damaged;
		renewal.why = ingest_damage;
	} while (damaged);
	return result;
}

static bool is_missing(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

/*
 * Returns true with @err set if the database's file is missing although the archive has batches, or if the archive
 * cannot be read. Returns false if the directory of the file is missing, too: opening the database then says so.
 */
static bool is_gone(const struct site_conf *conf, struct error *err)
{
	cleanup_free char *directory = strdup(conf->database);
	int archived;

	if (!directory || directory[0] != '/' || !is_missing(conf->database) || is_missing(dirname(directory)))
		return false;
	archived = archives_found(conf, err);
	if (archived > 0)
		error_set(err, "%.200s is gone, but %.200s " ARCHIVES_GONE, conf->database, conf->archive_dir);
	return archived != 0;
}

static int print_checksum(struct database *db)
{
	struct error err;

	if (checksum_print(db, stdout, &err) < 0)
		return fail(err.text);
	return output_flush(&err) < 0 ? fail(err.text) : EXIT_SUCCESS;
}

int one_database(const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct database *db;
	struct error err;
	int result;

	if (arguments->rebuild)
		return rebuild(conf, arguments);
	if (is_gone(conf, &err))
		return fail(err.text);
	db = database_open(conf->database, site_tables, arguments->checksum, &err);
	if (!db)
		return fail(err.text);
	if (site_zone_use(db, conf, arguments->checksum, &err) < 0)
		result = fail(err.text);
	else if (arguments->checksum)
		result = print_checksum(db);
	else
		result = ingest_database(db, conf, arguments);
	database_close(db);
	return result;
}
