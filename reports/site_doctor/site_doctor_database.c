/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/moments.h"
#include "reports/ingest/ingest.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/site_doctor/site_doctor.h"

#define SUBJECT "database"
#define RECONCILE_US (50 * 3600 * US_PER_S) /* two nights: it runs each night */
#define INGEST "stint ingest"
#define REBUILD "stint ingest --rebuild"

static bool is_file(const struct site_doctor *site)
{
	return site->conf.database[0] == '/';
}

static void write_mend(const struct site_doctor *site, const char *why, char mend[SITE_DOCTOR_MEND])
{
	if (strstr(why, "it needs a newer stint-site"))
		snprintf(mend, SITE_DOCTOR_MEND, "install the newer package stint-site");
	else if (strstr(why, DATABASE_NOT_THE_STORES))
		snprintf(mend, SITE_DOCTOR_MEND, "name another database in site.conf");
	else if (strstr(why, "--rebuild"))
		site_doctor_as_user(site, REBUILD, mend);
	else if (!is_file(site) && geteuid() == 0 && site->uid != 0)
		site_doctor_as_user(site, "stint doctor --role=store", mend);
	else if (!is_file(site))
		snprintf(mend, SITE_DOCTOR_MEND, "start PostgreSQL, and let %s connect: see 'Who sees what' in docs/store.md", site->user);
	else
		snprintf(mend, SITE_DOCTOR_MEND, "let %s read and write it: chown %s %s", site->user, site->user, site->conf.database);
}

static bool say_missing(struct site_doctor *site)
{
	char mend[SITE_DOCTOR_MEND];

	if (!is_file(site) || access(site->conf.database, F_OK) == 0 || errno != ENOENT)
		return false;
	doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, site_doctor_as_user(site, INGEST, mend),
		   "%s: there is none yet: the first stint ingest makes it", site->conf.database);
	return true;
}

static struct database *open_it(struct site_doctor *site)
{
	char mend[SITE_DOCTOR_MEND];
	struct error err;
	struct database *db;

	if (say_missing(site))
		return NULL;
	if (is_file(site) && access(site->conf.database, R_OK) < 0 && geteuid() != site->uid && geteuid() != 0) {
		doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, "run 'stint doctor' as root, or as the user who runs stint ingest", "%s: %s",
			   site->conf.database, strerror(errno));
		return NULL;
	}
	db = database_open(site->conf.database, site_tables, true, &err);
	if (db)
		return db;
	write_mend(site, err.text, mend);
	if (strstr(err.text, "still empty"))
		doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, site_doctor_as_user(site, INGEST, mend), "it has no tables yet");
	else
		doctor_say(site->doctor, DOCTOR_FAIL, SUBJECT, mend, "it cannot be used: %s", err.text);
	return NULL;
}

/* If root runs stint ingest, the database's files belong to root. The store's user cannot write such files. */
static void check_owner(struct site_doctor *site)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", ".lock" };
	char path[PATH_MAX + 8], mend[SITE_DOCTOR_MEND];
	struct stat st;

	for (size_t i = 0; is_file(site) && site->has_user && i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", site->conf.database, suffixes[i]);
		if (stat(path, &st) < 0 || st.st_uid == site->uid)
			continue;
		snprintf(mend, sizeof(mend), "chown %s %s*", site->user, site->conf.database);
		doctor_say(site->doctor, DOCTOR_FAIL, SUBJECT, mend, "%s: it belongs to user %u, so %s cannot write it", path, st.st_uid,
			   site->user);
		return;
	}
}

static void check_readers(struct site_doctor *site)
{
	struct database_readers readers;
	char mend[SITE_DOCTOR_MEND];
	struct error err;

	if (database_readers(site->db, &readers, &err) < 0) {
		doctor_say(site->doctor, DOCTOR_WARN, "readers", "run it as the owner of the tables", "they could not be checked: %s", err.text);
		return;
	}
	if (!readers.persons)
		return;
	if (readers.open) {
		snprintf(mend, sizeof(mend), "ALTER TABLE %s ENABLE ROW LEVEL SECURITY;", readers.first_open);
		doctor_say(site->doctor, DOCTOR_FAIL, "readers", mend,
			   "%" PRId64 " table%s, such as %s, %s all rows to each reader: row-level security is off", readers.open,
			   plural((double)readers.open), readers.first_open, plural_verb((double)readers.open, "shows", "show"));
	}
	if (readers.unguarded)
		doctor_say(site->doctor, DOCTOR_WARN, "readers", "let stint ingest make all tables again: name an empty database in site.conf, and run 'stint ingest --rebuild'",
			   "%" PRId64 " table%s no policy: readers see nothing there", readers.unguarded,
			   plural_verb((double)readers.unguarded, " has", "s have"));
	if (!readers.role)
		doctor_say(site->doctor, DOCTOR_INFO, "readers", "CREATE ROLE stint_reader NOLOGIN;",
			   "there is no role stint_reader: only the tables' owner can read them");
	else if (readers.closed)
		doctor_say(site->doctor, DOCTOR_WARN, "readers", site_doctor_start(site, "stint-ingest.service", INGEST, mend),
			   "stint_reader cannot read %" PRId64 " of %" PRId64 " tables; each stint ingest allows it", readers.closed, readers.tables);
	else if (!readers.open && !readers.unguarded)
		doctor_say(site->doctor, DOCTOR_OK, "readers", NULL, "stint_reader can read %" PRId64 " tables, each with a policy",
			   readers.tables);
}

static const char *since_text(const struct site_doctor *site, int64_t us, char text[DURATION_TEXT])
{
	int64_t seconds = (site->now_us - us) / US_PER_S;

	return worded_duration_text(seconds > 0 ? (double)seconds : 0, text);
}

static void say_ingested(struct site_doctor *site)
{
	char since[DURATION_TEXT], last[DURATION_TEXT], every[DURATION_TEXT], mend[SITE_DOCTOR_MEND];

	site_doctor_start(site, "stint-ingest.service", INGEST, mend);
	if (!site->looked_us)
		doctor_say(site->doctor, DOCTOR_WARN, "ingest", mend, "it is not known when stint ingest last ran to its end");
	else if (site_doctor_is_late(site, site->looked_us))
		doctor_say(site->doctor, DOCTOR_FAIL, "ingest", mend, "stint ingest last ran to its end %s ago, and should every %s",
			   since_text(site, site->looked_us, since), worded_duration_text((double)(site->pass_us / US_PER_S), every));
	else
		doctor_say(site->doctor, DOCTOR_OK, "ingest", NULL, "stint ingest ran %s ago; the last batch was ingested %s%s",
			   since_text(site, site->looked_us, since), site->ingested_us ? since_text(site, site->ingested_us, last) : "never",
			   site->ingested_us ? " ago" : "");
}

static void say_reconciled(struct site_doctor *site)
{
	char since[DURATION_TEXT], mend[SITE_DOCTOR_MEND];

	site_doctor_start(site, "stint-reconcile.service", "stint ingest --reconcile", mend);
	if (!site->reconciled_us)
		doctor_say(site->doctor, DOCTOR_WARN, "reconcile", mend,
			   "the store was never compared with Slurm's accounting: who may see what, and which jobs have no record, is not known");
	else if (site->now_us - site->reconciled_us > RECONCILE_US)
		doctor_say(site->doctor, DOCTOR_WARN, "reconcile", mend,
			   "the store was last compared with Slurm's accounting, without a failure, %s ago", since_text(site, site->reconciled_us, since));
	else
		doctor_say(site->doctor, DOCTOR_OK, "reconcile", NULL, "compared with Slurm's accounting %s ago",
			   since_text(site, site->reconciled_us, since));
}

static int count_row(void *context, const struct database_value *row, struct error *err)
{
	(void)row;
	(void)err;
	++*(int64_t *)context;
	return 0;
}

static void check_damaged(struct site_doctor *site)
{
	char mend[SITE_DOCTOR_MEND];
	int64_t count = 0;
	struct error err;

	if (database_scan(site->db, &table_damaged, 0, count_row, &count, &err) < 0 || !count)
		return;
	/* A PostgreSQL address may contain a password, so print DATABASE. */
	snprintf(mend, sizeof(mend), "look at them, and then delete these rows: %s%s \"SELECT batch, line, reason FROM damaged\"",
		 is_file(site) ? "sqlite3 " : "psql DATABASE -c", is_file(site) ? site->conf.database : "");
	doctor_say(site->doctor, DOCTOR_WARN, "damaged lines", mend, "%" PRId64 " line%s set aside, and %s in no job", count,
		   plural_verb((double)count, " was", "s were"), plural_verb((double)count, "is", "are"));
}

static void check_rebuild(struct site_doctor *site)
{
	struct error err;
	cleanup_free char *rebuilding = database_setting(site->db, INGEST_REBUILDING, &err);
	char mend[SITE_DOCTOR_MEND];

	if (rebuilding && *rebuilding)
		doctor_say(site->doctor, DOCTOR_FAIL, SUBJECT, site_doctor_as_user(site, REBUILD, mend),
			   "it lacks jobs: a rebuild of it is running, or was killed");
}

void site_doctor_open(struct site_doctor *site)
{
	struct error err;

	site->db = open_it(site);
	if (site->db && (moment_read(site->db, MOMENT_LOOKED, &site->looked_us, &err) < 0 ||
			 moment_read(site->db, MOMENT_INGESTED, &site->ingested_us, &err) < 0 ||
			 moment_read(site->db, MOMENT_RECONCILED, &site->reconciled_us, &err) < 0))
		doctor_say(site->doctor, DOCTOR_WARN, SUBJECT, "run it again", "its settings could not be read: %s", err.text);
}

void site_doctor_database(struct site_doctor *site)
{
	if (!site->db)
		return;
	doctor_say(site->doctor, DOCTOR_OK, SUBJECT, NULL, "%s%s%s, tables of version %d", is_file(site) ? site->conf.database : "",
		   is_file(site) ? ": " : "", database_engine(site->db), DATABASE_SCHEMA);
	check_owner(site);
	check_rebuild(site);
	check_readers(site);
	say_ingested(site);
	say_reconciled(site);
	check_damaged(site);
}
