/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/ingest_database.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

#include "common/time_text.h"
#include "reports/facts/site_tables.h"
#include "reports/ingest/ingest.h"
#include "reports/ingest/reconcile.h"
#include "reports/ingest/retention.h"
#include "reports/json/plural.h"
#include "reports/site_cmd/failure.h"
#include "reports/site_cmd/site_rules.h"
#include "reports/site_cmd/watch_retry.h"
#include "reports/stores/site_zone.h"

#define WATCH_S 10
#define LOCK_WAIT_S 5
#define NIGHTLY_WAIT_S 600

struct error ingest_damage;

int ingest_fail_at(const struct database *db, const struct ingest_options *arguments, const char *text)
{
	if (!arguments->rebuild || !database_damaged(db))
		return fail(text);
	error_set(&ingest_damage, "%s", text);
	return EXIT_FAILURE;
}

static int find_owner(const struct site_conf *conf, uid_t *owner, struct error *err)
{
	const struct passwd *user;

	*owner = geteuid();
	if (!conf->store_user[0])
		return 0;
	user = getpwnam(conf->store_user);
	if (!user)
		return error_set(err, "store_user: there is no user %.100s", conf->store_user);
	*owner = user->pw_uid;
	return 0;
}

static void say_dropped(int dropped)
{
	if (dropped)
		printf("dropped %d tables of months that are no longer kept\n", dropped);
}

static void say_ingested(const struct ingest *ingest)
{
	if (ingest->conf->database_count > 1)
		printf("%s: ", site_conf_whose(&ingest->conf->databases[ingest->conf->chosen]));
	printf("%lld batch%s, %lld line%s, %lld job%s; %lld line%s set aside, %lld batch%s refused\n",
	       (long long)ingest->batches, plural_es(ingest->batches), (long long)ingest->lines, plural(ingest->lines),
	       (long long)ingest->jobs, plural(ingest->jobs), (long long)ingest->damaged, plural(ingest->damaged),
	       (long long)ingest->refused, plural_es(ingest->refused));
}

/* Ingests the batches that wait or, for a rebuild, all batches of the archive. */
static int take(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments,
		struct error *err)
{
	int dropped = 0;

	ingest->batches = ingest->lines = ingest->jobs = ingest->damaged = ingest->refused = ingest->late = 0;
	ingest->oldest = arguments->rebuild ? 0 : retention_oldest(ingest->db, conf->keep.job, time(NULL));
	if ((arguments->rebuild ? ingest_rebuild(ingest, err) : ingest_run(ingest, err)) < 0)
		return -1;
	if (arguments->rebuild && retention_apply(ingest->db, &conf->keep, time(NULL), &dropped, err) < 0)
		return -1;
	if (!arguments->watch || ingest->batches)
		say_ingested(ingest);
	if (ingest->late)
		printf("%lld line%s of jobs that are no longer kept %s left out\n", (long long)ingest->late,
		       plural(ingest->late), plural_verb(ingest->late, "was", "were"));
	say_dropped(dropped);
	fflush(stdout);
	return 0;
}

/* ---- the lock, and --watch ---- */

/*
 * Takes the database's lock. If another process has the lock, waits for up to @wait_s seconds, because that
 * process may be about to end. Return values are those of database_lock().
 */
static int lock(struct database *db, int wait_s, struct error *err)
{
	int got = 0;

	for (int i = 0; i <= wait_s && got == 0; i++) {
		if (i)
			sleep(1);
		got = database_lock(db, err);
	}
	return got;
}

/*
 * Opens the database again, and takes its lock again. The lock was lost with the connection, so another process
 * may have it now.
 */
static int reopen(struct ingest *ingest, const struct site_conf *conf, struct error *err)
{
	int got = -1;

	ingest->db = database_open(conf->database, site_tables, false, err);
	if (ingest->db && site_zone_use(ingest->db, conf, false, err) == 0)
		got = lock(ingest->db, LOCK_WAIT_S, err);
	if (got > 0 && database_let_read(ingest->db, err) == 0)
		return 0;
	return got == 0 ? error_set(err, "%s", LOCKED) : -1;
}

/*
 * Ingests batches again and again until a signal ends the process. A signal may safely come at any time,
 * because a transaction is either whole or has no effect.
 *
 * After a failure, closes the database, so that no other process waits for its lock. Later opens it again, and
 * ingests the batches of the failed transaction again. If the server did commit that transaction, the ledger has
 * its batches, so they are not counted twice.
 */
static _Noreturn void watch(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct watch_retry retry = { 0 };
	struct error err;

	for (;;) {
		if ((ingest->db || reopen(ingest, conf, &err) == 0) && take(ingest, conf, arguments, &err) == 0) {
			watch_retry_worked(&retry, failure_who);
			failure_over();
			sleep(WATCH_S);
			continue;
		}
		database_close(ingest->db);
		ingest->db = NULL;
		sleep((unsigned int)watch_retry_failed(&retry, failure_who, &err));
	}
}

static int run(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct error err;

	if (arguments->watch)
		watch(ingest, conf, arguments);
	if (take(ingest, conf, arguments, &err) < 0)
		return ingest_fail_at(ingest->db, arguments, err.text);
	return ingest->damaged || ingest->refused ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void say_reconciled(void *context, const char *cluster, const struct reconcile *reconcile,
			   const struct error *failure)
{
	char from[TIME_TEXT], why[COVERAGE_TEXT];
	int64_t missing = reconcile->jobs - reconcile->recorded;

	(void)context;
	if (failure) {
		fprintf(stderr, WHO ": %s: %s\n", cluster, failure->text);
		return;
	}
	printf("%s: of %lld job%s that ended since %.10s, %lld %s a record", cluster, (long long)reconcile->jobs,
	       plural(reconcile->jobs), time_text(reconcile->from_s * NS_PER_S, from), (long long)reconcile->recorded,
	       plural_verb(reconcile->recorded, "has", "have"));
	if (missing)
		printf("; without one: %s", coverage_reasons(reconcile->missing, why));
	if (reconcile->unknown_job)
		printf(", such as job %lld on %s", (long long)reconcile->unknown_job, reconcile->unknown_node);
	printf("; %lld record%s got another account, QOS or state\n", (long long)reconcile->amended,
	       plural(reconcile->amended));
}

/*
 * Compares the store with Slurm. First ingests the batches that wait, because a record that has arrived is not
 * missing.
 */
static int run_nightly(struct ingest *ingest, const struct site_conf *conf)
{
	struct reconcile reconcile = {
		.ingest = ingest, .now_s = time(NULL), .view_groups = conf->view_groups, .keep_months = conf->keep.job
	};
	struct error err;
	int dropped, result = ingest_run(ingest, &err);
	bool odd = ingest->damaged || ingest->refused;

	if (result == 0)
		result = reconcile_run(&reconcile, say_reconciled, NULL, &err);
	if (result < 0)
		fail(err.text);
	/* Even if slurmdbd does not answer, drop data that is older than site.conf allows. */
	if (retention_apply(ingest->db, &conf->keep, time(NULL), &dropped, &err) < 0)
		return fail(err.text);
	say_dropped(dropped);
	return result < 0 || reconcile.failed || odd || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int ingest_database(struct database *db, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct ingest ingest = {
		.db = db, .store_dir = conf->store_dir, .archive_dir = conf->archive_dir, .conf = conf
	};
	struct rules rules;
	struct error err;
	int got, result;

	if (find_owner(conf, &ingest.owner, &err) < 0)
		return fail(err.text);
	site_rules_load(arguments->config, &rules);
	ingest.rules = &rules;
	/*
	 * json-c's simple and fast hash is safe here, because the names of a line's members are short, and root
	 * wrote them.
	 */
	json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE);
	got = lock(db, arguments->reconcile ? NIGHTLY_WAIT_S : LOCK_WAIT_S, &err);
	if (got < 0 || (got && database_let_read(db, &err) < 0))
		return ingest_fail_at(db, arguments, err.text);
	if (got == 0 && arguments->reconcile)
		return fail(LOCKED ", and does not end (--watch?)");
	if (got == 0)
		return say_busy();
	if (arguments->reconcile)
		ingest.oldest = retention_oldest(db, conf->keep.job, time(NULL));
	result = arguments->reconcile ? run_nightly(&ingest, conf) : run(&ingest, conf, arguments);
	map_free(&ingest.refused_names);
	map_free(&ingest.others_names);
	return result;
}
