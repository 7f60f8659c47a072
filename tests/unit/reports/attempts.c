/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what happens to an existing report of any attempt, and to anything else in its place. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/time_text.h"
#include "reports/files/attempt.h"
#include "reports/files/user.h"
#include "tests/unit/reports/attempt_node.h"

static void a_later_attempt_keeps_the_earlier_ones_report_beside_its_own(void **state)
{
	(void)state;
	for (int attempt = 1; attempt <= 3; attempt++) {
		deliver_attempt(attempt);
		assert_attempt("stint-77.json", attempt);
	}
	assert_attempt("stint-77.attempt-1.json", 1);
	assert_attempt("stint-77.attempt-2.json", 2);
	assert_false(is_there("stint-77.attempt-3.json"));
}

static bool tells_of_a_missing_attempt(const char *name, const char *reason)
{
	cleanup_json struct json_object *json = report_at(name);
	struct json_object *gaps = field_find(json, "gaps");

	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);

		if (strcmp(field_text(gap, "name"), "job.attempt") == 0 &&
		    (!reason || strstr(field_text(gap, "reason"), reason)))
			return true;
	}
	return false;
}

static void an_earlier_attempt_that_left_no_report_is_named(void **state)
{
	(void)state;
	deliver_attempt(1);
	deliver_attempt(2);
	assert_false(tells_of_a_missing_attempt("stint-77.json", NULL));
	deliver_attempt(4);
	assert_true(tells_of_a_missing_attempt("stint-77.json", "attempt 3 has no report here"));
	assert_false(tells_of_a_missing_attempt("stint-77.json", "attempt 1"));
	assert_false(tells_of_a_missing_attempt("stint-77.json", "attempt 2"));
	assert_false(tells_of_a_missing_attempt("stint-77.attempt-2.json", NULL));
}

static void a_late_record_of_an_earlier_attempt_has_a_name_of_its_own(void **state)
{
	struct node late;

	(void)state;
	deliver_attempt(2);
	start_attempt(&late, 1);
	assert_int_equal(deliver(&late), WRITER_DONE);
	assert_non_null(strstr(late.place.path, "/stint-77.attempt-1.json"));
	finish(&late);
	assert_attempt("stint-77.json", 2);
	assert_attempt("stint-77.attempt-1.json", 1);
}

static void a_later_attempt_of_a_job_long_before_is_not_one_of_this(void **state)
{
	struct node node;

	(void)state;
	deliver_attempt(2); /* steps of November 2025 */
	start_attempt(&node, 1);
	for (size_t i = 0; i < node.job.record->steps.count; i++)
		node.job.record->steps.items[i].start_unix_ns = INT64_C(1800000000) * NS_PER_S;
	deliver(&node);
	finish(&node);
	assert_attempt("stint-77.json", 1);
}

/* Returns whether a report with this submit time is taken for Slurm's job of 2026-11-20 22:35:13 UTC. */
static bool is_of_submission(const char *submit)
{
	cleanup_json struct json_object *json = report();
	cleanup_report struct report *of_submission = NULL;
	const struct record_identity job = { .job_id = 77, .attempt = 1, .node = "n1" };
	cleanup_free char *text = NULL;
	struct record_slurm_job answer;
	size_t len;
	int dirfd;
	bool found;

	put_text(field_find(json, "job"), "submit", submit);
	of_submission = report_of(json);
	text = report_write(of_submission, &len);
	write_file("stint-77.json", text);
	slurm_job_forget(&answer);
	answer.submit_unix_s = 1795214113;
	dirfd = open(path_of("."), O_RDONLY | O_DIRECTORY);
	found = attempt_is_reported(dirfd, "stint-77.json", &job, &answer, "n1", 1);
	close(dirfd);
	return found;
}

static void a_submission_is_found_by_its_time_in_any_zone(void **state)
{
	(void)state;
	deliver_attempt(1);
	assert_true(is_of_submission("2026-11-20T22:35:13.000+00:00"));
	assert_true(is_of_submission("2026-11-20T22:35:13Z"));
	assert_true(is_of_submission("2026-11-21T04:05:13.999+05:30"));
	assert_true(is_of_submission("2026-11-20T19:05:13.000-03:30"));
	assert_true(is_of_submission("no time")); /* an unknown time does not tell two jobs apart */
	assert_false(is_of_submission("2026-11-20T22:35:14.000+00:00"));
	assert_false(is_of_submission("2026-11-20T22:35:13.000-03:30"));
}

static void another_jobs_report_of_the_same_name_is_replaced(void **state)
{
	struct node other;

	(void)state;
	strcpy(conf.output, "stint.json");
	start_attempt(&other, 1);
	other.job.record->output = NULL;
	other.job.record->identity.job_id = 76;
	other.job.identity.job_id = 76;
	assert_int_equal(open_again(&other, NULL), 0);
	deliver(&other);
	other.job.record->identity.job_id = 77;
	other.job.record->identity.attempt = 2;
	deliver(&other);
	finish(&other);
	assert_attempt("stint.json", 2);
	assert_false(is_there("stint.attempt-1.json"));
}

/* A job's record may be closed again after its report was written, with nothing counted since. */
static void a_record_of_no_work_does_not_replace_what_is_told(void **state)
{
	struct node node;
	cleanup_json struct json_object *json = NULL;

	(void)state;
	deliver_attempt(1);
	start_attempt(&node, 1);
	node.job.record->opened_unix_ns = REPORT_UNKNOWN;
	node.job.record->steps.count = 0;
	node.job.record->totals.processes = 0;
	deliver(&node);
	json = report();
	assert_int_equal(json_object_get_int64(field_find(json, "used.processes")), 3);
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	deliver(&node);
	finish(&node);
	deliver_attempt(1);
	json_object_put(json);
	json = report();
	assert_int_equal(json_object_get_int64(field_find(json, "used.processes")), 3);
}

/* The writer was killed after it had written the report, and the spool did not learn of it. */
static void a_record_that_comes_twice_leaves_the_whole_report(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(true, NULL);
	assert_int_equal(deliver(&n1), WRITER_DONE);
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

/* A whole report is better than one without other nodes' parts, even if nobody knows that the parts are gone. */
static void a_report_of_fewer_nodes_does_not_replace_one_of_more(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	deliver_attempt(1);
	assert_report(true, NULL);
	finish(&n1);
	finish(&n2);
}

static void what_is_no_report_is_replaced_and_never_waited_for(void **state)
{
	char deep[4001];

	(void)state;
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	write_file("stint-77.json", deep);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	write_file("stint-77.json", "{\"schema\": \"stint-report/1\", \"job\": {\"id\": 77, \"attempt\": -9}}");
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	write_file("stint-77.json", "");
	assert_int_equal(truncate(path_of("stint-77.json"), 2LL << 30), 0);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	assert_false(is_there("stint-77.attempt-1.json"));
}

/* In tmpfs, a copy is charged to the writer, and users can make a report as large as they like. */
static void an_earlier_report_is_kept_as_the_file_that_it_is(void **state)
{
	struct stat before, kept;
	char name[PATH_MAX];

	(void)state;
	deliver_attempt(1);
	assert_int_equal(stat(path_of("stint-77.json"), &before), 0);
	deliver_attempt(2);
	assert_int_equal(stat(path_of("stint-77.attempt-1.json"), &kept), 0);
	assert_true(kept.st_ino == before.st_ino && kept.st_nlink == 1);
	/* also if a write failed after that, with two names of the file */
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	snprintf(name, sizeof(name), "%s", path_of("stint-77.attempt-1.json"));
	assert_int_equal(link(name, path_of("stint-77.json")), 0);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	assert_int_equal(stat(path_of("stint-77.attempt-1.json"), &kept), 0);
	assert_true(kept.st_ino == before.st_ino && kept.st_nlink == 1);
}

static void deliver_never(const char *why)
{
	struct error err = { "" };
	struct node node;

	start_attempt(&node, 2);
	assert_int_equal(writer_deliver(&node.job, &node.place, &err), WRITER_FAILED);
	assert_int_equal(node.place.hope, WRITER_NEVER);
	assert_string_equal(err.text, why);
	finish(&node);
}

static void a_device_a_fifo_or_a_socket_is_not_replaced(void **state)
{
	static const char why[] = "stint-77.json is a device, FIFO or socket: stint writes no report there";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	struct stat st;

	(void)state;
	assert_int_equal(mkfifo(path_of("stint-77.json"), 0600), 0);
	deliver_never(why);
	assert_int_equal(lstat(path_of("stint-77.json"), &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.107s", path_of("stint-77.json"));
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	deliver_never(why);
	close(listener);
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	if (geteuid() != 0 || mknod(path_of("stint-77.json"), S_IFCHR | 0666, makedev(1, 3)) < 0)
		skip();
	deliver_never(why);
	assert_int_equal(lstat(path_of("stint-77.json"), &st), 0);
	assert_true(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3));
	/* another user's file keeps no report out */
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	assert_int_equal(mkfifo(path_of("stint-77.json"), 0666), 0);
	assert_int_equal(chown(path_of("stint-77.json"), 65534, 65534), 0);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
}

static void an_earlier_report_that_cannot_be_kept_is_not_replaced(void **state)
{
	struct error err = { "" };
	struct node node;

	(void)state;
	deliver_attempt(1);
	assert_int_equal(mkdir(path_of("stint-77.attempt-1.json"), 0700), 0);
	start_attempt(&node, 2);
	assert_int_equal(writer_deliver(&node.job, &node.place, &err), WRITER_FAILED);
	assert_string_equal(err.text, "stint-77.attempt-1.json: Is a directory");
	finish(&node);
	assert_attempt("stint-77.json", 1);
}

/* ---- what another user has put in the report's place ---- */

#define PLANTER 65534

static void give_away(const char *name)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(lchown(path_of(name), PLANTER, PLANTER), 0);
}

static void plant_directory(const char *name)
{
	char inside[NAME_MAX + 8];

	assert_int_equal(mkdir(path_of(name), 0700), 0);
	snprintf(inside, sizeof(inside), "%s/x", name);
	write_file(inside, "planted");
	give_away(name);
}

static int count_aside(const char *stem)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	int count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		char inside[NAME_MAX + 8];
		struct stat st;

		if (strncmp(entry->d_name, stem, strlen(stem)) != 0 || strlen(entry->d_name) != strlen(stem) + 16)
			continue;
		assert_int_equal(lstat(path_of(entry->d_name), &st), 0);
		assert_true(S_ISDIR(st.st_mode));
		assert_int_equal(st.st_uid, PLANTER);
		snprintf(inside, sizeof(inside), "%s/x", entry->d_name);
		assert_true(is_there(inside));
		count++;
	}
	closedir(dir);
	return count;
}

static void another_users_directory_gives_way_to_a_report_and_to_a_kept_one(void **state)
{
	(void)state;
	plant_directory("stint-77.json");
	deliver_attempt(1);
	assert_attempt("stint-77.json", 1);
	plant_directory("stint-77.attempt-1.json");
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	assert_attempt("stint-77.attempt-1.json", 1);
	assert_int_equal(count_aside("stint-77.json.aside-"), 1);
	assert_int_equal(count_aside("stint-77.attempt-1.json.aside-"), 1);
}

static void a_long_name_is_cut_at_a_whole_character_to_be_moved_aside(void **state)
{
	char name[NAME_MAX + 1] = "", stem[NAME_MAX + 1] = "";
	struct node node;

	(void)state;
	for (int i = 0; i < (NAME_MAX - 5) / 3; i++)
		strcat(name, "\u20ac");
	strcat(name, ".json");
	for (int i = 0; i < (NAME_MAX - 23) / 3; i++)
		strcat(stem, "\u20ac");
	strcat(stem, ".aside-");
	plant_directory(name);
	start_attempt(&node, 1);
	assert_int_equal(user_write_file(node.place.dirfd, name, 0644, "x", 1, NULL), 0);
	finish(&node);
	assert_true(user_has_file(AT_FDCWD, path_of(name)));
	assert_int_equal(count_aside(stem), 1);
}

static void another_users_directory_that_no_report_is_called_like_stays(void **state)
{
	struct node node;

	(void)state;
	plant_directory("results");
	start_attempt(&node, 1);
	assert_int_equal(user_write_file(node.place.dirfd, "results", 0644, "x", 1, NULL), -1);
	assert_int_equal(errno, EISDIR);
	finish(&node);
	assert_int_equal(count_aside("results.aside-"), 0);
}

static void a_directory_of_the_users_own_stays(void **state)
{
	struct error err = { "" };
	struct node node;

	(void)state;
	assert_int_equal(mkdir(path_of("stint-77.json"), 0700), 0);
	write_file("stint-77.json/x", "own");
	start_attempt(&node, 1);
	assert_int_equal(writer_deliver(&node.job, &node.place, &err), WRITER_FAILED);
	assert_string_equal(err.text, "stint-77.json: Is a directory");
	assert_int_equal(user_write_file(node.place.dirfd, "stint-77.json", 0644, "x", 1, NULL), -1);
	assert_int_equal(errno, EISDIR);
	finish(&node);
	assert_true(is_there("stint-77.json/x"));
}

/* A write lease prevents others from opening the file for 45 seconds. */
static void another_users_lease_keeps_no_report_out(void **state)
{
	int fd;

	(void)state;
	signal(SIGIO, SIG_IGN);
	write_file("stint-77.json", "");
	give_away("stint-77.json");
	fd = open(path_of("stint-77.json"), O_WRONLY);
	if (fcntl(fd, F_SETLEASE, F_WRLCK) < 0)
		skip(); /* the file system has no leases */
	assert_int_equal(open(path_of("stint-77.json"), O_RDONLY | O_NONBLOCK), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	deliver_attempt(1);
	close(fd);
	signal(SIGIO, SIG_DFL);
	assert_attempt("stint-77.json", 1);
}

static void another_users_file_is_no_earlier_attempts_report(void **state)
{
	(void)state;
	write_file("stint-77.attempt-1.json", "");
	give_away("stint-77.attempt-1.json");
	deliver_attempt(2);
	assert_true(tells_of_a_missing_attempt("stint-77.json", "attempt 1 has no report here"));
}

/* The directory's owner can remove a report, but cannot keep the true one out. */
static void what_the_directorys_owner_has_put_there_keeps_no_report_out(void **state)
{
	char name[NAME_MAX + 1] = "stint-77.json";
	cleanup_report struct report *report = NULL;
	cleanup_free char *text = NULL;
	cleanup_close int dirfd = -1;
	struct attempt_report written;
	struct error err;

	(void)state;
	deliver_attempt(1);
	report = report_in(name);
	deliver_attempt(7);
	give_away(name);
	give_away("");
	dirfd = open(directory, O_RDONLY | O_DIRECTORY);
	written = (struct attempt_report){ .report = report, .mode = 0600 };
	written.text = text = report_write(report, &written.len);
	assert_non_null(text);
	assert_int_equal(attempt_write(dirfd, name, &written, &err), 0);
	assert_string_equal(name, "stint-77.json");
	assert_attempt(name, 1);
	assert_false(is_there("stint-77.attempt-7.json"));
	assert_int_equal(lchown(directory, 0, 0), 0);
}

static void an_attempts_name_is_never_too_long(void **state)
{
	char name[NAME_MAX + 1], out[NAME_MAX + 1];

	(void)state;
	attempt_name("stint-10_2.json", 12, 1, out);
	assert_string_equal(out, "stint-10_2.attempt-1.json");
	attempt_name("report", 12, 3, out);
	assert_string_equal(out, "report.attempt-3");
	attempt_name(".json", 12, 3, out);
	assert_string_equal(out, ".json.attempt-3");
	memset(name, 'x', NAME_MAX);
	name[NAME_MAX] = '\0';
	attempt_name(name, 4294967295, 4294967295, out);
	assert_string_equal(out, "stint-4294967295.attempt-4294967295.json");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_later_attempt_keeps_the_earlier_ones_report_beside_its_own, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_earlier_attempt_that_left_no_report_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_late_record_of_an_earlier_attempt_has_a_name_of_its_own, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_later_attempt_of_a_job_long_before_is_not_one_of_this, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_submission_is_found_by_its_time_in_any_zone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_jobs_report_of_the_same_name_is_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_of_no_work_does_not_replace_what_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_that_comes_twice_leaves_the_whole_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_of_fewer_nodes_does_not_replace_one_of_more, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_report_is_replaced_and_never_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_earlier_report_is_kept_as_the_file_that_it_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_device_a_fifo_or_a_socket_is_not_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_earlier_report_that_cannot_be_kept_is_not_replaced, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(another_users_directory_gives_way_to_a_report_and_to_a_kept_one, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_long_name_is_cut_at_a_whole_character_to_be_moved_aside, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(another_users_directory_that_no_report_is_called_like_stays, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_directory_of_the_users_own_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_users_lease_keeps_no_report_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_users_file_is_no_earlier_attempts_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_directorys_owner_has_put_there_keeps_no_report_out, set_up, tear_down),
		cmocka_unit_test(an_attempts_name_is_never_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
