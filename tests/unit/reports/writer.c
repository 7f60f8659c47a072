/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how records become one report, and what a user may do against it. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/time_text.h"
#include "reports/files/part_set.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/node.h"
#include "tests/unit/within.h"

static void both_nodes_in_time_make_one_whole_report(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_false(is_there("stint-77.json"));
	assert_true(is_there(".stint-77.1.n2.part"));
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_DONE);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

static void the_leading_node_does_not_wait_with_what_it_has(void **state)
{
	struct node n1, n2;
	struct error err;

	(void)state;
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_report(false, "n2: its record has not arrived");
	assert_true(is_there(".stint-77.1.n1.lead"));
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.lead"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

static void a_node_that_is_late_completes_the_report_itself(void **state)
{
	struct node n1, n2;
	struct error err;

	(void)state;
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(false, "n2: its record has not arrived");
	assert_true(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n1.lead"));
	start(&n2, "record-two-n2.json");
	n2.job.slurm = NULL;
	n2.job.slurm_reason = "gone";
	deliver(&n2);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

/* A node that hands its part to the leading node asks Slurm only if the leading node has given up on the node. */
static void a_node_that_does_not_lead_asks_only_where_it_makes_the_report(void **state)
{
	struct node n1, n2;
	struct error err;

	(void)state;
	start(&n2, "record-two-n2.json");
	assert_true(writer_knows_directory(&n2.job));
	n2.job.slurm = NULL;
	n2.job.slurm_later = true;
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_true(is_there(".stint-77.1.n2.part"));
	assert_int_equal(unlink(path_of(".stint-77.1.n2.part")), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_int_equal(deliver(&n2), WRITER_ASKS);
	assert_true(is_there(".stint-77.1.n2.part"));
	n2.job.slurm_later = false;
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_report(true, NULL);
	finish(&n1);
	finish(&n2);
}

static void what_slurm_alone_knows_may_be_in_the_name_and_not_in_the_directory(void **state)
{
	struct node n1;

	(void)state;
	start(&n1, "record-two-n1.json");
	n1.job.record->output = "stint-%i-%x.json";
	assert_true(writer_knows_directory(&n1.job));
	n1.job.record->output = "reports/stint-%i.json";
	assert_true(writer_knows_directory(&n1.job));
	n1.job.record->output = "%x/stint-%i.json";
	assert_false(writer_knows_directory(&n1.job));
	n1.job.record->output = "stint-%i.json";
	n1.job.record->work_dir = "";
	assert_false(writer_knows_directory(&n1.job));
	finish(&n1);
}

static struct record *load_record(const char *name)
{
	cleanup_json struct json_object *json = load(name);

	return record_of(json);
}

/* Leaves what another node's root would leave, whichever user writes it. */
static void plant(const struct notary *by, const char *record_name, void (*change)(struct record *record))
{
	cleanup_json struct json_object *said = load("slurm-two.json");
	cleanup_answer struct slurm_answer *answer = answer_of(said);
	cleanup_record struct record *record = load_record(record_name);
	cleanup_free char *data = NULL;
	struct error err = { "" };
	size_t len;

	if (change)
		change(record);
	data = part_set_make(by, record, slurm_answer_job(answer), &len, &err);
	if (!data)
		fail_msg("%s", err.text);
	write_file(".stint-77.1.n2.part", data);
}

static void of_another_job(struct record *record)
{
	record->identity.job_id = 78;
}

static void of_another_attempt(struct record *record)
{
	record->identity.attempt = 2;
}

static void of_a_third_node(struct record *record)
{
	record->identity.node = "n3";
}

static void of_another_cluster(struct record *record)
{
	record->identity.cluster = "barcluster";
}

static void of_another_user(struct record *record)
{
	record->user.uid = 1001;
}

/* The job began at 1763678100; munge's nodes are at most 300 s apart. */
static void of_an_earlier_job(struct record *record)
{
	record->collector.closed_unix_ns = INT64_C(1763677799) * NS_PER_S;
}

static void deliver_lead(const char *reason)
{
	struct error err = { "" };
	struct node n1;

	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_report(false, reason);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(false, reason);
	assert_true(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	assert_int_equal(unlink(path_of(".stint-77.1.n1.part")), 0);
}

static void a_forged_old_or_foreign_part_is_named_and_left_out(void **state)
{
	static const struct {
		void (*change)(struct record *record);
		uid_t uid;
		const char *reason;
	} cases[] = {
		{ NULL, 1000, "its credential is from user 1000, not from root" },
		{ of_another_job, 0, "its credential is for another job, attempt or node" },
		{ of_another_attempt, 0, "its credential is for another job, attempt or node" },
		{ of_a_third_node, 0, "its credential is for another job, attempt or node" },
		{ of_another_cluster, 0, "its credential is from another cluster" },
		{ of_another_user, 0, "its credential is for a job of another user" },
		{ of_an_earlier_job, 0, "its credential is for an earlier job with the same number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		notary_uid = cases[i].uid;
		plant(&notary, "record-two-n2.json", cases[i].change);
		notary_uid = 0;
		deliver_lead(cases[i].reason);
	}
	plant(NULL, "record-two-n2.json", NULL);
	deliver_lead("the part has no credential from root");
	write_file(".stint-77.1.n2.part", "{\"stint_record\": 1}");
	deliver_lead("the part has no credential from root");
	write_file(".stint-77.1.n2.part", "stint-part MUNGE:\n{\"stint_record\": 1}");
	deliver_lead("not authentic");
}

/* Root sealed something else than a word, or another version of stint sealed it. */
static void a_credential_of_something_else_is_refused(void **state)
{
#define RECORD "{\"stint_record\":1,\"identity\":{\"job_id\":77,\"attempt\":1,\"node\":\"n2\"}}"
	static const struct {
		const char *word, *reason;
	} cases[] = {
		{ "", "damaged JSON" },
		{ "{\"stint_part\":1,\"sha256\":\"00\",\"record\":" RECORD, "damaged JSON" },
		{ "[[[[[[[[[[[[[[[[[[[[[[[[", "not a JSON object" },
		{ "7", "not a JSON object" },
		{ "{}", "not that of a part" },
		{ "{\"stint_part\":1,\"sha256\":\"00\"}", "not that of a part" },
		{ "{\"stint_part\":1,\"sha256\":\"00\",\"record\":[" RECORD "]}", "not that of a part" },
		{ "{\"stint_part\":1,\"sha256\":\"00\",\"record\":{}}", "not that of a part" },
		{ "{\"stint_part\":1,\"sha256\":\"00\",\"record\":{\"stint_record\":2}}", "not that of a part" },
		{ "{\"stint_part\":1,\"sha256\":0,\"record\":" RECORD "}", "not that of a part" },
		{ "{\"stint_part\":1,\"record\":" RECORD "}", "not that of a part" },
		{ "{\"stint_part\":\"1\",\"sha256\":\"00\",\"record\":" RECORD "}", "not that of a part" },
		{ "{\"stint_part\":2,\"sha256\":\"00\",\"record\":" RECORD "}", "not that of a part" },
		{ "{\"sha256\":\"00\",\"record\":" RECORD "}", "not that of a part" },
		/* a word of another part */
		{ "{\"stint_part\":1,\"new\":[{}],\"sha256\":\"00\",\"record\":" RECORD "}", "from another cluster" },
	};
	char part[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(part, sizeof(part), "stint-part 0:%s\n{}", cases[i].word);
		write_file(".stint-77.1.n2.part", part);
		deliver_lead(cases[i].reason);
	}
#undef RECORD
}

/* The credential is genuine, but the content was changed: one byte, or all but the name. */
static void a_part_that_is_not_what_root_left_is_left_out(void **state)
{
	cleanup_free char *text = NULL;
	char *at;

	(void)state;
	plant(&notary, "record-two-n2.json", NULL);
	text = file_read(AT_FDCWD, path_of(".stint-77.1.n2.part"), 1 << 20, NULL, NULL);
	at = strchr(text, '\n');
	at = strstr(at, "cpu_ns") + strlen("cpu_ns") + 5;
	at += strcspn(at, "0123456789");
	*at ^= 1;
	write_file(".stint-77.1.n2.part", text);
	deliver_lead("the part's content is not what root of its node wrote");
	strcpy(strchr(text, '\n') + 1, "{}");
	write_file(".stint-77.1.n2.part", text);
	deliver_lead("the part's content is not what root of its node wrote");
}

static void with_long_names(struct record *record)
{
	static char name[3 * 65536 / 4];

	memset(name, 'x', sizeof(name) - 1);
	for (int i = 0; i < 20; i++)
		RECORD_ADD(record, &record->tools, tool)->name = name;
}

/* A user can plant very many names of one large file: it is not read before its first line proves it. */
static void of_a_part_that_is_not_roots_only_the_begin_is_read(void **state)
{
	const struct record_identity job = { .job_id = 77, .attempt = 1 };
	const struct proof_wanted proof = { .notary = &notary, .uid = -1 };
	struct part_bounds bounds = part_form_begin(1);
	const size_t all = bounds.bytes;
	cleanup_close int dirfd = open(path_of("."), O_RDONLY | O_DIRECTORY);
	const struct part_set_wanted wanted = { dirfd, &job, "n2", .leads = false };
	cleanup_record struct record *record = NULL;
	struct part_set_found part;
	struct error err = { "" };

	(void)state;
	plant(&notary, "record-two-n2.json", of_another_job);
	assert_int_equal(truncate(path_of(".stint-77.1.n2.part"), 20 << 20), 0);
	assert_null(part_set_read(&wanted, &proof, &bounds, &part, &err));
	assert_non_null(strstr(err.text, "for another job, attempt or node"));
	assert_in_range(all - bounds.bytes, 1, 262144);
	plant(&notary, "record-two-n2.json", with_long_names);
	record = part_set_read(&wanted, &proof, &bounds, &part, &err);
	if (!record)
		fail_msg("%s", err.text);
	assert_non_null(part.credential);
	free(part.credential);
	assert_in_range(all - bounds.bytes, 3 * 262144, SIZE_MAX);
}

/* A forged part does not end the wait for the genuine one. */
static void the_true_part_is_waited_for_behind_a_forged_one(void **state)
{
	struct error err = { "" };
	struct node n1, n2;

	(void)state;
	write_file(".stint-77.1.n2.part", "forged");
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_report(false, "the part has no credential from root");
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

/* Puts a forged part there again and again. *@reports: counts how often the report changes */
static void forge_and_count(volatile int *reports)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	cleanup_free char *forged = strdup(path_of("forged"));
	ino_t seen = 0;
	struct stat st;

	for (;;) {
		write_file("forged", "forged");
		rename(forged, path_of(".stint-77.1.n2.part"));
		if (stat(path_of("stint-77.json"), &st) == 0 && st.st_ino != seen) {
			seen = st.st_ino;
			++*reports;
		}
		nanosleep(&pause, NULL);
	}
}

/* Each look at the parts reads all of them and writes the report. */
static void who_forges_parts_without_a_pause_has_few_of_them_looked_at(void **state)
{
	volatile int *reports = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct error err = { "" };
	struct node n1;
	pid_t forger;

	(void)state;
	conf.merge_wait_s = 3;
	write_file(".stint-77.1.n2.part", "forged");
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	forger = fork();
	if (forger == 0)
		forge_and_count(reports);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	kill(forger, SIGKILL);
	waitpid(forger, NULL, 0);
	print_message("the report was written %d times\n", *reports);
	assert_within(*reports, 2, 6);
	assert_report(false, "the part has no credential from root");
	munmap((void *)(uintptr_t)reports, sizeof(int));
	finish(&n1);
}

/* A file system may fail only for a moment, so the last report tries again. */
static void a_part_that_could_not_be_read_is_read_again_at_the_end(void **state)
{
	struct error err = { "" };
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	notary_fails = true;
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_report(false, "munged does not answer");
	notary_fails = false;
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(true, NULL);
	finish(&n1);
	finish(&n2);
}

static void start_without_notary(struct node *node, const char *record_name)
{
	struct error err = { "" };

	start(node, record_name);
	free(node->job.part);
	node->job.notary = NULL;
	node->job.notary_reason = "no munge here";
	assert_int_equal(writer_seal(&node->job, &err), 0);
}

static void without_munge_what_is_not_proved_is_named(void **state)
{
	struct node n1, n2;

	(void)state;
	start_without_notary(&n2, "record-two-n2.json");
	deliver(&n2);
	start_without_notary(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_DONE);
	assert_report(true, "n2: nothing proves that the record comes from root: no munge here");
	finish(&n1);
	finish(&n2);
}

static void a_damaged_part_is_a_missing_node_with_the_reason(void **state)
{
	static const struct {
		const char *text, *reason;
	} parts[] = {
		{ "{\"stint_record\": 1, ", "damaged JSON" },
		{ "{}", "not a node record" },
		{ "{\"stint_record\": 1, \"identity\": {\"job_id\": 78, \"attempt\": 1, \"node\": \"n2\"}}",
		  "the record of another job or node" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct node n1;

		write_file(".stint-77.1.n2.part", parts[i].text);
		start_without_notary(&n1, "record-two-n1.json");
		assert_int_equal(deliver(&n1), WRITER_WAITING);
		assert_report(false, parts[i].reason);
		finish(&n1);
	}
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(path_of(name), &st), 0);
	return st.st_mode & 07777;
}

static mode_t file_type(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(path_of(name), &st), 0);
	return st.st_mode & S_IFMT;
}

/* Slurm makes the job's output with the umask of the job's submission. */
static void a_report_has_the_mode_of_the_jobs_own_output(void **state)
{
	static const struct {
		int site;
		int umask;
		mode_t mode;
	} cases[] = {
		{ CONF_REPORT_MODE_JOB, 022, 0644 }, { CONF_REPORT_MODE_JOB, 077, 0600 },
		{ CONF_REPORT_MODE_JOB, 027, 0640 }, { CONF_REPORT_MODE_JOB, 0, 0666 },
		{ CONF_REPORT_MODE_JOB, 0777, 0600 }, { CONF_REPORT_MODE_JOB, -1, 0600 },
		{ 0640, 077, 0640 }, { 0600, -1, 0600 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err;
		struct node n1;

		start(&n1, "record-two-n1.json");
		if (cases[i].umask >= 0)
			n1.job.record->user.umask = cases[i].umask;
		conf.report_mode = cases[i].site;
		n1.job.mode = writer_mode(&n1.job);
		assert_int_equal(n1.job.mode, cases[i].mode);
		deliver(&n1);
		assert_int_equal(mode_of("stint-77.json"), cases[i].mode);
		assert_int_equal(mode_of(".stint-77.1.n1.lead"), cases[i].mode);
		assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
		assert_int_equal(mode_of(".stint-77.1.n1.part"), cases[i].mode);
		finish(&n1);
		assert_int_equal(unlink(path_of(".stint-77.1.n1.part")), 0);
	}
}

static void a_fifo_as_a_part_holds_nobody_up(void **state)
{
	struct node n1;

	(void)state;
	assert_int_equal(mkfifo(path_of(".stint-77.1.n2.part"), 0600), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(false, "not a plain file");
	finish(&n1);
}

/* In a directory where several users may write, the part's name can be known before. */
static void another_users_directory_keeps_no_part_out(void **state)
{
	const char *const planted[] = { ".stint-77.1.n2.part", ".stint-77.1.n1.lead" };
	struct node n1, n2;

	(void)state;
	if (geteuid() != 0)
		skip();
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(mkdir(path_of(planted[i]), 0700), 0);
		assert_int_equal(chown(path_of(planted[i]), 65534, 65534), 0);
	}
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_true(S_ISREG(file_type(".stint-77.1.n1.lead")));
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	assert_true(S_ISREG(file_type(".stint-77.1.n2.part")));
	deliver(&n1);
	assert_report(true, NULL);
	finish(&n1);
	finish(&n2);
}

static void what_another_user_has_planted_is_no_report_that_is_there(void **state)
{
	struct error err = { "" };
	struct node n1;

	(void)state;
	if (geteuid() != 0)
		skip();
	write_file("stint-77.json", "");
	start(&n1, "record-two-n1.json");
	n1.job.nodes_unknown = true;
	assert_int_equal(writer_deliver(&n1.job, &n1.place, &err), WRITER_FAILED);
	assert_non_null(strstr(err.text, "a report exists already"));
	assert_int_equal(chown(path_of("stint-77.json"), 65534, 65534), 0);
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	finish(&n1);
	assert_report(false, "its record has not arrived");
}

static void a_rule_that_is_no_good_does_not_cost_the_report(void **state)
{
	cleanup_json struct json_object *json = NULL;
	struct node n1;

	(void)state;
	strcpy(conf.rules[0].name, "no_such_rule");
	conf.rule_count = 1;
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	json = report();
	assert_true(gaps_have(field_find(json, "gaps"), "verdict"));
	assert_non_null(field_text(json, "verdict.bound"));
	finish(&n1);
}

/* A report takes so little from each node that no number of nodes makes it too large. */
static void of_many_nodes_less_is_kept_of_each(void **state)
{
	cleanup_json struct json_object *json = NULL;
	struct json_object *first;
	struct report *memory;
	struct record *record;
	struct node n1;
	char name[16];

	(void)state;
	start(&n1, "record-two-n1.json");
	record = n1.job.record;
	memory = record_memory(record);
	n1.job.nodes = (struct report_texts){ 0 };
	for (int i = 1; i <= 1000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		report_add_text(memory, &n1.job.nodes, report_copy(memory, name));
	}
	record_table_columns()->forget(&record->series.columns);
	record->series.columns.known = true;
	report_make_values(memory, &record->series.end_offsets_ns, 200);
	for (int i = 1; i <= 200; i++)
		record->series.end_offsets_ns.items[i - 1] = i * NS_PER_S;
	deliver(&n1);
	json = report();
	first = json_object_array_get_idx(field_find(json, "series"), 0);
	assert_int_equal(field_length(field_find(first, "end_offsets_s")), 16);
	finish(&n1);
}

static void a_link_in_the_reports_place_is_replaced(void **state)
{
	struct node n1;
	struct stat st;

	(void)state;
	write_file("precious", "untouched");
	assert_int_equal(symlink("precious", path_of("stint-77.json")), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_int_equal(lstat(path_of("stint-77.json"), &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(stat(path_of("precious"), &st), 0);
	assert_int_equal(st.st_size, strlen("untouched"));
	finish(&n1);
}

static void the_patterns_own_directories_are_made(void **state)
{
	struct node n1;

	(void)state;
	strcpy(conf.output, "logs/%u/stint-%i.json");
	start(&n1, "record-two-n1.json");
	n1.job.record->output = NULL;
	assert_int_equal(open_again(&n1, NULL), 0);
	deliver(&n1);
	assert_true(is_there("logs/juser/stint-77.json"));
	finish(&n1);
}

/*
 * Delivers with @output as the job's own pattern; may be NULL.
 * Checks that the report's link then leads to @target; NULL: that there is no link.
 */
static void deliver_and_look(const char *output, const char *target)
{
	char found[256] = "";
	struct node n1;

	start(&n1, "record-two-n1.json");
	n1.job.record->output = output;
	assert_int_equal(open_again(&n1, NULL), 0);
	deliver(&n1);
	writer_leave_link(&n1.job, &n1.place);
	if (target) {
		assert_true(readlink(path_of(".stint-77.json"), found, sizeof(found) - 1) > 0);
		assert_string_equal(found, target);
		assert_true(is_there(".stint-77.json"));
	} else {
		assert_int_equal(readlink(path_of(".stint-77.json"), found, sizeof(found) - 1), -1);
	}
	finish(&n1);
}

static void a_report_that_its_job_moved_has_a_link_in_the_jobs_directory(void **state)
{
	char elsewhere[256], pattern[300];

	(void)state;
	deliver_and_look(NULL, NULL);
	deliver_and_look("stint-%j.json", NULL);
	strcpy(conf.output, "site/%i.json");
	deliver_and_look(NULL, NULL);
	deliver_and_look("site/%A.json", NULL);
	deliver_and_look("logs/%x-%i.json", "logs/align-77.json");
	snprintf(elsewhere, sizeof(elsewhere), "%s/far/77.json", directory);
	snprintf(pattern, sizeof(pattern), "%s/far/%%i.json", directory);
	deliver_and_look(pattern, elsewhere);
}

static void what_is_no_link_stays_where_the_link_would_be(void **state)
{
	struct stat st;

	(void)state;
	write_file(".stint-77.json", "precious");
	deliver_and_look("logs/%i.json", NULL);
	assert_int_equal(lstat(path_of(".stint-77.json"), &st), 0);
	assert_int_equal(st.st_size, strlen("precious"));
}

static void a_working_directory_that_is_gone_is_an_error(void **state)
{
	struct node n1;
	struct error err = { "" };

	(void)state;
	start(&n1, "record-two-n1.json");
	n1.job.record->work_dir = "/nonexistent";
	assert_int_equal(open_again(&n1, &err), -1);
	assert_string_equal(err.text, "/nonexistent: No such file or directory");
	finish(&n1);
}

static void a_part_that_is_a_link_is_not_followed(void **state)
{
	char part[256];
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	finish(&n2);
	strcpy(part, path_of(".stint-77.1.n2.part"));
	assert_int_equal(rename(part, path_of("elsewhere")), 0);
	assert_int_equal(symlink("elsewhere", path_of(".stint-77.1.n2.part")), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(false, "Too many levels of symbolic links");
	finish(&n1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_nodes_in_time_make_one_whole_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_leading_node_does_not_wait_with_what_it_has, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_node_that_is_late_completes_the_report_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_node_that_does_not_lead_asks_only_where_it_makes_the_report, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_slurm_alone_knows_may_be_in_the_name_and_not_in_the_directory,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_damaged_part_is_a_missing_node_with_the_reason, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_forged_old_or_foreign_part_is_named_and_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_credential_of_something_else_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_part_that_is_not_what_root_left_is_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_a_part_that_is_not_roots_only_the_begin_is_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_true_part_is_waited_for_behind_a_forged_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_forges_parts_without_a_pause_has_few_of_them_looked_at, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_munge_what_is_not_proved_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_fifo_as_a_part_holds_nobody_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_users_directory_keeps_no_part_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_another_user_has_planted_is_no_report_that_is_there, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_report_has_the_mode_of_the_jobs_own_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_rule_that_is_no_good_does_not_cost_the_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_many_nodes_less_is_kept_of_each, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_link_in_the_reports_place_is_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_patterns_own_directories_are_made, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_that_its_job_moved_has_a_link_in_the_jobs_directory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_link_stays_where_the_link_would_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_working_directory_that_is_gone_is_an_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_part_that_is_a_link_is_not_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_part_that_could_not_be_read_is_read_again_at_the_end, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
