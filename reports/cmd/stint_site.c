/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-site: does the work of the verbs that need the store's database. `stint` starts it, because no other
 * program is linked with a database.
 */
#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <locale.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/time_text.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/ingest_options.h"
#include "reports/cmd/shared_options.h"
#include "reports/cmd/stint_site_doctor.h"
#include "reports/facts/checksum.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/site_report.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/missing.h"
#include "reports/groups/site_groups.h"
#include "reports/groups/site_summary.h"
#include "reports/ingest/ingest.h"
#include "reports/ingest/moments.h"
#include "reports/ingest/reconcile.h"
#include "reports/ingest/retention.h"
#include "reports/ingest/site_conf.h"
#include "reports/ingest/store_waiting.h"
#include "reports/ingest/watch_retry.h"
#include "reports/json/plural.h"
#include "reports/model/report_write.h"
#include "reports/read/locate.h"
#include "reports/site/jobs_summary.h"
#include "reports/slurm/slurm_conf.h"
#include "reports/stores/site_stores.h"
#include "reports/stores/site_zone.h"
#include "reports/terminal/progress_line.h"

#define WHO "stint ingest"
#define DAY_S 86400
#define WATCH_S 10
#define REBUILDING "the store lacks jobs: 'stint ingest --rebuild' is running, or did not finish"
#define LOCKED "another 'stint ingest' is working on this database"
#define LOCK_WAIT_S 5
#define NIGHTLY_WAIT_S 600

const char *argp_program_version = "stint " PACKAGE_VERSION;

static char who[SITE_TEXT] = WHO; /* begins each message about the database */

static int fail(const char *text)
{
	fprintf(stderr, "%s: %s\n", who, text);
	return EXIT_FAILURE;
}

static struct error damage; /* the damage that a rebuild has found in the database */

/*
 * Prints @text as the reason of a failure. If a rebuild found damage, stores @text in @damage instead, because
 * rebuild() then begins again with another file. Returns EXIT_FAILURE.
 */
static int fail_at(const struct database *db, const struct ingest_options *arguments, const char *text)
{
	if (!arguments->rebuild || !database_damaged(db))
		return fail(text);
	error_set(&damage, "%s", text);
	return EXIT_FAILURE;
}

/* ---- ingest ---- */

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

static void load_rules(const char *config, struct rules *rules)
{
	struct error warning, err;
	struct conf conf;

	rules_defaults(rules);
	if (conf_load_known(&conf, config, &warning, &err) == 0)
		rules_of_site(rules, &conf, NULL);
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
	printf("%lld batch%s, %lld line%s, %lld job%s; %lld line%s set aside, %lld batch%s refused\n", (long long)ingest->batches,
	       plural_es(ingest->batches), (long long)ingest->lines, plural(ingest->lines), (long long)ingest->jobs,
	       plural(ingest->jobs), (long long)ingest->damaged, plural(ingest->damaged), (long long)ingest->refused,
	       plural_es(ingest->refused));
}

/* Ingests the batches that wait or, for a rebuild, all batches of the archive. */
static int take(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments, struct error *err)
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
		printf("%lld line%s of jobs that are no longer kept %s left out\n", (long long)ingest->late, plural(ingest->late),
		       plural_verb(ingest->late, "was", "were"));
	say_dropped(dropped);
	fflush(stdout);
	return 0;
}

/* ---- the lock, and --watch ---- */

/*
 * Takes the database's lock. If another process has it, waits for up to @wait_s seconds, because that process may
 * be about to end. Return values are those of database_lock().
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
 * Ingests batches again and again until a signal ends the process. A signal may come at any time, because a
 * transaction is either whole or has no effect.
 *
 * After a failure, closes the database, so that no other process waits for its lock. Next, ingests the batches of
 * the broken transaction again. If the server did commit that transaction, the ledger knows its batches, so they
 * are not counted twice.
 */
static _Noreturn void watch(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct watch_retry retry = { 0 };
	struct error err;

	for (;;) {
		if ((ingest->db || reopen(ingest, conf, &err) == 0) && take(ingest, conf, arguments, &err) == 0) {
			watch_retry_worked(&retry, who);
			sleep(WATCH_S);
			continue;
		}
		database_close(ingest->db);
		ingest->db = NULL;
		sleep((unsigned int)watch_retry_failed(&retry, who, &err));
	}
}

static int run(struct ingest *ingest, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct error err;

	if (arguments->watch)
		watch(ingest, conf, arguments);
	if (take(ingest, conf, arguments, &err) < 0)
		return fail_at(ingest->db, arguments, err.text);
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
	printf("; %lld record%s got another account, QOS or state\n", (long long)reconcile->amended, plural(reconcile->amended));
}

/*
 * Compares the store with Slurm. First ingests the batches that wait, because a record that has arrived is not
 * missing.
 */
static int run_nightly(struct ingest *ingest, const struct site_conf *conf)
{
	struct reconcile reconcile = { .ingest = ingest, .now_s = time(NULL), .view_groups = conf->view_groups,
				       .keep_months = conf->keep.job };
	struct error err;
	int dropped, result = ingest_run(ingest, &err);
	bool odd = ingest->damaged || ingest->refused;

	if (result == 0)
		result = reconcile_run(&reconcile, say_reconciled, NULL, &err);
	if (result < 0)
		fail(err.text);
	/* Drop data whose time is over even if slurmdbd does not answer. */
	if (retention_apply(ingest->db, &conf->keep, time(NULL), &dropped, &err) < 0)
		return fail(err.text);
	say_dropped(dropped);
	return result < 0 || reconcile.failed || odd || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int say_busy(void)
{
	fprintf(stderr, "%s: " LOCKED "\n", who);
	return EXIT_SUCCESS;
}

static int ingest(struct database *db, const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct ingest ingest = { .db = db, .store_dir = conf->store_dir, .archive_dir = conf->archive_dir,
				 .conf = conf };
	struct rules rules;
	struct error err;
	int got, result;

	if (find_owner(conf, &ingest.owner, &err) < 0)
		return fail(err.text);
	load_rules(arguments->config, &rules);
	ingest.rules = &rules;
	/*
	 * json-c's simple and fast hash is safe here, because the names of a line's members are short, and root
	 * wrote them.
	 */
	json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE);
	got = lock(db, arguments->reconcile ? NIGHTLY_WAIT_S : LOCK_WAIT_S, &err);
	if (got < 0 || (got && database_let_read(db, &err) < 0))
		return fail_at(db, arguments, err.text);
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

static struct database *renew(const struct site_conf *conf, struct database_renewal *renewal, struct error *err)
{
	struct database *db = database_renew(conf->database, site_tables, renewal, err);

	for (int i = 0; !db && renewal->busy && i < LOCK_WAIT_S; i++) {
		sleep(1);
		db = database_renew(conf->database, site_tables, renewal, err);
	}
	if (db && renewal->moved[0])
		fprintf(stderr, "%s: %s: %s: stint moved the file to %s, and makes a new database from the "
				    "archive\n", who, conf->database,
			renewal->why.text, renewal->moved);
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
 * Rebuilds the database from the archive. Damage may be found only when the database is read or written. If so,
 * begins again: moves the damaged file away and makes a new one.
 */
static int rebuild(const struct site_conf *conf, const struct ingest_options *arguments)
{
	struct database_renewal renewal = { .mark = INGEST_REBUILDING, .keep = SITE_ZONE };
	bool damaged = false;
	struct error err;
	int result, archived = ingest_archived(conf, &err);

	if (archived < 0)
		return fail(err.text);
	do {
		struct database *db = archived ? renew(conf, &renewal, &err) : open_only(conf, &err);

		if (!db)
			return renewal.busy ? say_busy() : fail(err.text);
		if (site_zone_use(db, conf, false, &err) < 0)
			result = fail_at(db, arguments, err.text);
		else
			result = ingest(db, conf, arguments);
		damaged = result != EXIT_SUCCESS && database_damaged(db);
		database_close(db);
		if (damaged && !archived)
			return fail(damage.text);
		if (damaged && renewal.moved[0])
			return fail("the new database is damaged as well: check its disk");
		renewal.damaged = damaged;
		renewal.why = damage;
	} while (damaged);
	return result;
}

static bool is_missing(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

/*
 * Returns true with @err set if the database's file is missing although the archive has batches, or if it is not
 * known whether it has any. Returns false if the file's directory is missing, too, because opening the database
 * then says so.
 */
static bool is_gone(const struct site_conf *conf, struct error *err)
{
	cleanup_free char *directory = strdup(conf->database);
	int archived;

	if (!directory || directory[0] != '/' || !is_missing(conf->database) || is_missing(dirname(directory)))
		return false;
	archived = ingest_archived(conf, err);
	if (archived > 0)
		error_set(err, "%.200s is gone, but %.200s " INGEST_GONE, conf->database, conf->archive_dir);
	return archived != 0;
}

static int print_checksum(struct database *db)
{
	struct error err;

	if (checksum_print(db, stdout, &err) < 0)
		return fail(err.text);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_SUCCESS;
	error_errno(&err, "standard output");
	return fail(err.text);
}

static int work(const struct site_conf *conf, const struct ingest_options *arguments)
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
		result = ingest(db, conf, arguments);
	database_close(db);
	return result;
}

/* ---- several databases ---- */

/*
 * Works on one of several databases, in its own process. With --watch, waits until the database can be opened,
 * because others may work meanwhile.
 */
static _Noreturn void work_on(struct site_conf *conf, size_t which, const struct ingest_options *arguments, pid_t parent)
{
	struct watch_retry retry = { 0 };
	struct database *db = NULL;
	struct error err;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	site_conf_choose(conf, which);
	snprintf(who, sizeof(who), WHO ": the database of %.400s", site_conf_whose(&conf->databases[which]));
	progress_line_off(); /* the processes share a terminal */
	while (arguments->watch && !is_gone(conf, &err) && !(db = database_open(conf->database, site_tables, false, &err)))
		sleep((unsigned int)watch_retry_failed(&retry, who, &err));
	watch_retry_worked(&retry, who);
	database_close(db);
	exit(work(conf, arguments));
}

static int result_of(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

/*
 * Works on each database in a separate process, so that a database that does not answer does not hold up the
 * others.
 */
static int work_on_all(struct site_conf *conf, const struct ingest_options *arguments)
{
	cleanup_free pid_t *children = calloc(conf->database_count, sizeof(*children));
	int result = children ? EXIT_SUCCESS : fail("out of memory"), one;
	pid_t parent = getpid();

	for (size_t i = 0; children && i < conf->database_count; i++) {
		if (arguments->checksum) {
			printf("# %s\n", site_conf_whose(&conf->databases[i]));
			fflush(stdout);
		}
		children[i] = fork();
		if (children[i] == 0)
			work_on(conf, i, arguments, parent);
		if (children[i] < 0)
			result = fail(strerror(errno));
		/* wait for each process, so that the checksums are printed one after the other */
		if (children[i] > 0 && arguments->checksum && result_of(children[i]) != EXIT_SUCCESS)
			result = EXIT_FAILURE;
	}
	for (size_t i = 0; children && !arguments->checksum && i < conf->database_count; i++) {
		one = children[i] > 0 ? result_of(children[i]) : EXIT_FAILURE;
		result = one > result ? one : result;
	}
	return result;
}

static int ingest_verb(int argc, char *argv[])
{
	struct ingest_options arguments = { 0 };
	struct site_conf conf;
	struct error err;
	int result;

	usage_parse(&ingest_argp, argc, argv, 0, &arguments);
	if (site_stores_conf(&conf, arguments.site, arguments.config, &err) < 0)
		return fail(err.text);
	result = conf.database_count ? work_on_all(&conf, &arguments) : work(&conf, &arguments);
	site_conf_free(&conf);
	return result;
}

/* ---- summary ---- */

/*
 * The stores to read. They are opened before the options of stint summary are parsed, because the days in its
 * options depend on the store's time zone.
 */
static struct site_stores stores;
static struct error store_error; /* why no store can be read; empty if one can */

static const char *find_site(int argc, char *argv[])
{
	const char *site = NULL;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--sit", 5) == 0) /* options may be abbreviated */
			site = strchr(argv[i], '=') ? strchr(argv[i], '=') + 1 : i + 1 < argc ? argv[i + 1] : site;
	return site;
}

/*
 * Returns the cluster that --where asks for; NULL if it asks for none. If it asks for one, only that cluster's
 * database is opened.
 */
static const char *find_cluster(int argc, char *argv[])
{
	static const char where[] = "--where", cluster[] = "cluster=";

	for (int i = 1; i < argc; i++) {
		const char *value = strncmp(argv[i], where, sizeof(where) - 1) != 0 ? NULL
				    : argv[i][sizeof(where) - 1] == '='		    ? argv[i] + sizeof(where)
				    : argv[i][sizeof(where) - 1] == '\0' && i + 1 < argc ? argv[i + 1]
											 : NULL;

		if (value && strncmp(value, cluster, sizeof(cluster) - 1) == 0 && value[sizeof(cluster) - 1])
			return value + sizeof(cluster) - 1;
	}
	return NULL;
}

static void open_stores(int argc, char *argv[], const char *cluster, const char *first)
{
	site_stores_open(&stores, find_site(argc, argv), cluster, first, &store_error);
}

/* Returns whether one of the stores is being rebuilt. Such a store lacks jobs until the rebuild is over. */
static bool is_rebuilding(void)
{
	bool is = false;

	for (size_t i = 0; i < stores.count; i++) {
		struct error err;
		cleanup_free char *rebuilding =
			stores.list[i].db ? database_setting(stores.list[i].db, INGEST_REBUILDING, &err) : NULL;

		is = is || (rebuilding && *rebuilding);
	}
	return is;
}

/*
 * Warns if the store no longer has the rows of some jobs in the period. A site may keep rows for less time than
 * the sums that were made from them. Rows are dropped by months in UTC, but @since_us may be in another time zone,
 * so allows a day of difference.
 */
static void warn_of_rows(const struct site_store *store, int64_t since_us)
{
	int first = *database_months(store->db, &table_job);
	bool before = false;
	struct error err;

	if (!first || (since_us && job_lines_month(since_us / US_PER_S + DAY_S) >= first))
		return;
	/*
	 * Do not warn if the store may have begun in its first month. Warn if it has sums from before that month,
	 * or if rows may have been dropped.
	 */
	if (site_groups_before(store->db, job_lines_month_begin(first) * US_PER_S, &before, &err) < 0 || before || (since_us && stores.conf.keep.job > 0))
		fprintf(stderr, "stint summary: the store%s%s has single jobs since %d-%02d: jobs that ended before are not "
				"counted\n", stores.count > 1 ? " of " : "", stores.count > 1 ? store->whose : "", first / 100,
			first % 100);
}

/* Returns how many batches wait; -1 if stint ingest is not late, because it will then ingest them soon. */
static int64_t count_waiting(const struct store_age *age)
{
	return age->now_us - age->looked_us > STORE_AGE_LATE_US ? store_waiting_soon(stores.conf.store_dir) : -1;
}

static int read_age(struct site_store *store, struct store_age *age, struct error *err)
{
	*age = (struct store_age){ .now_us = moment_now(), .waiting = -1 };
	if (stores.count > 1)
		snprintf(age->whose, sizeof(age->whose), "%s", store->whose);
	return moment_read(store->db, MOMENT_INGESTED, &age->ingested_us, err) < 0 ||
			       moment_read(store->db, MOMENT_LOOKED, &age->looked_us, err) < 0 ||
			       moment_read(store->db, MOMENT_NEWEST, &age->newest_us, err) < 0
		       ? -1
		       : 0;
}

/* Adds the jobs of @store to @summary. @first: whether no other store was added before */
static int read_one(struct site_store *store, struct jobs_summary *summary, bool first, struct error *err)
{
	bool from_rows = false, hidden = summary->some_hidden;
	struct coverage coverage;
	struct store_age age;

	if (site_summary_read(store->db, summary, &from_rows, err) < 0)
		return -1;
	summary->some_hidden = summary->some_hidden || hidden;
	if (from_rows)
		warn_of_rows(store, summary->period.since_us);
	if (missing_count(store->db, &summary->period, summary->filters, summary->filter_count, &coverage, err) < 0 ||
	    read_age(store, &age, err) < 0)
		return -1;
	if (first)
		summary->coverage = coverage;
	else
		coverage_add(&summary->coverage, &coverage);
	if (first || store_age_is_older(&age, &summary->age))
		summary->age = age;
	return 0;
}

/*
 * Prints that the jobs of a database are missing because it cannot be read, and adds its clusters to
 * summary->unread.
 */
static void note_unread(struct jobs_summary *summary, const struct site_store *store)
{
	size_t used = strlen(summary->unread);

	fprintf(stderr, "stint summary: the jobs of %s are missing: %s\n", store->whose, store->why.text);
	snprintf(summary->unread + used, sizeof(summary->unread) - used, "%s%s", used ? ", " : "", store->whose);
}

static int read_store(struct jobs_summary *summary, struct error *err)
{
	bool first = true;

	if (store_error.text[0])
		return error_set(err, "%s", store_error.text);
	for (size_t i = 0; i < stores.count; i++) {
		if (!stores.list[i].db) {
			note_unread(summary, &stores.list[i]);
			continue;
		}
		if (read_one(&stores.list[i], summary, first, err) < 0) {
			site_stores_close(&stores);
			return -1;
		}
		first = false;
	}
	summary->age.waiting = count_waiting(&summary->age);
	summary->of_store = true;
	site_stores_close(&stores);
	return 0;
}

/* ---- report ---- */

/*
 * Fills @name with the name of this host's cluster from slurm.conf. Sets it to "" if slurm.conf does not name the
 * cluster.
 */
static void local_cluster(char name[SITE_TEXT])
{
	if (!slurm_conf_ask("ClusterName", name, SITE_TEXT))
		name[0] = '\0';
}

static int print_site_report(const struct report *report)
{
	size_t len;
	cleanup_free char *text = report_write(report, &len);

	if (!text) {
		fprintf(stderr, "out of memory\n");
		return EXIT_FAILURE;
	}
	fputs(text, stdout);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * Prints one line that says why there is no report. Returns EXIT_SUCCESS, because this is an answer for stint and
 * not a failure.
 */
static int print_instead(char what, const char *text)
{
	printf("%c%s\n", what, text);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const char answers[SITE_LACKS] = { [SITE_SEVERAL] = SITE_ASK, [SITE_NO_RECORD] = SITE_WHY, [SITE_NO_JOB] = SITE_NONE };

/* Positions of the last arguments of stint-site report, counted from the end. */
enum { JOB_ARGUMENT = 1, ATTEMPT_ARGUMENT, CLUSTER_ARGUMENT, CONFIG_ARGUMENT };

/* Parses the arguments that stint passes for a report into @question. Returns false if they are invalid. */
static bool read_question(int argc, char *argv[], struct site_question *question)
{
	struct locate_job job;
	char *end;

	if (argc <= CONFIG_ARGUMENT || !locate_parse_job(argv[argc - JOB_ARGUMENT], &job))
		return false;
	*question = (struct site_question){ .name = argv[argc - JOB_ARGUMENT], .id = job.id, .task = job.task, .offset = job.offset };
	question->attempt = strtoll(argv[argc - ATTEMPT_ARGUMENT], &end, 10);
	question->cluster = *argv[argc - CLUSTER_ARGUMENT] ? argv[argc - CLUSTER_ARGUMENT] : NULL;
	return question->attempt >= 0 && !*end;
}

/*
 * Asks the databases one after the other, that of this host's cluster first. Stops if that database has the job,
 * or if the question names a cluster and a database has the job. Otherwise asks all, because several clusters may
 * have such a job.
 */
static struct report *ask_stores(struct site_question *question, const struct rules *rules, struct error *err)
{
	/*
	 * A reason with a higher rank replaces one with a lower rank. A database that cannot be read ranks above
	 * one without the job, because it may have the job.
	 */
	static const int rank[SITE_LACKS + 1] = { [SITE_NO_JOB] = 1, [SITE_FAILED] = 2, [SITE_NO_RECORD] = 3, [SITE_SEVERAL] = 4 };
	struct report *found = NULL;
	struct error why;

	question->lack = SITE_LACKS;
	for (size_t i = 0; i < stores.count; i++) {
		struct site_question one = *question;
		struct report *report = NULL;

		one.lack = SITE_FAILED;
		why = stores.list[i].why;
		if (stores.list[i].db)
			report = site_report(stores.list[i].db, &one, rules, &why);
		if (report && found) {
			question->lack = SITE_SEVERAL;
			error_set(err, "several clusters have a job %.64s: %.100s, %.100s. Choose one with --cluster=NAME", question->name,
				  found->job.cluster, report->job.cluster);
			report_free(report);
			report_free(found);
			return NULL;
		}
		if (report)
			found = report;
		else if (rank[one.lack] > rank[question->lack]) {
			question->lack = one.lack;
			*err = why;
		}
		if (found && (one.cluster || stores.list[i].preferred))
			break;
	}
	return found;
}

/*
 * Does the work of 'stint-site report [--site=FILE] CONFIG CLUSTER ATTEMPT JOB': prints the report, which stint
 * report reads. CONFIG is the path of stint.conf, or empty. CLUSTER is the job's cluster, or empty. ATTEMPT 0
 * means the last attempt.
 */
static int print_report(int argc, char *argv[])
{
	cleanup_report struct report *report = NULL;
	struct site_question question = { 0 };
	char local[SITE_TEXT];
	struct rules rules;
	struct error err;

	if (!read_question(argc, argv, &question)) {
		fprintf(stderr, "which job?\n");
		return USAGE_EXIT;
	}
	local_cluster(local);
	question.local = local;
	open_stores(argc, argv, question.cluster, local);
	load_rules(*argv[argc - CONFIG_ARGUMENT] ? argv[argc - CONFIG_ARGUMENT] : NULL, &rules);
	err = store_error;
	if (!store_error.text[0])
		report = ask_stores(&question, &rules, &err);
	if (!report && question.lack != SITE_SEVERAL && question.lack != SITE_NO_RECORD && is_rebuilding())
		error_set(&err, "%s", REBUILDING);
	site_stores_close(&stores);
	if (report)
		return print_site_report(report);
	if (question.lack != SITE_FAILED)
		return print_instead(answers[question.lack], err.text);
	fprintf(stderr, "%s\n", err.text);
	return EXIT_FAILURE;
}

int main(int argc, char *argv[])
{
	static char name[] = WHO, summary[] = "stint summary";

	setlocale(LC_CTYPE, "");
	summary_store = read_store;
	if (argc >= 2 && strcmp(argv[1], "summary") == 0) {
		argv[1] = summary;
		open_stores(argc - 1, argv + 1, find_cluster(argc - 1, argv + 1), NULL);
		if (is_rebuilding())
			fprintf(stderr, "%s: " REBUILDING "\n", summary);
		return cmd_summary(argc - 1, argv + 1);
	}
	if (argc >= 2 && strcmp(argv[1], "report") == 0)
		return print_report(argc - 1, argv + 1);
	if (argc >= 3 && strcmp(argv[1], "doctor") == 0)
		return stint_site_doctor(find_site(argc - 1, argv + 1), *argv[argc - 1] ? argv[argc - 1] : NULL);
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return puts("stint-site " PACKAGE_VERSION) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	if (argc < 2 || strcmp(argv[1], "ingest") != 0) {
		fprintf(stderr, "stint-site: only stint starts this program\n");
		return USAGE_EXIT;
	}
	argv[1] = name;
	return ingest_verb(argc - 1, argv + 1);
}
