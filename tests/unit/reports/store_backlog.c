/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines wait for the store, are sealed into batches and written there: each once, wherever a process is killed. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/deliver/store_place.h"
#include "reports/deliver/store_trim.h"
#include "reports/json/field.h"
#include "reports/store/store_backlog_internal.h"
#include "tests/unit/reports/fixture.h"

static char spool[64], record_path[80], store_dir[80];
static struct store_backlog backlog;
static struct json_object *record;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void empty(void)
{
	store_backlog_close(&backlog);
	nftw(spool, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void begin(void)
{
	struct error err = { "" };
	FILE *file;

	assert_int_equal(mkdir(spool, 0700), 0);
	assert_int_equal(mkdir(store_dir, 0755), 0);
	file = fopen(record_path, "w");
	assert_non_null(file);
	fclose(file);
	if (store_backlog_open(&backlog, spool, &err) < 0 || store_backlog_resume(&backlog, &err) < 0)
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(spool, "/tmp/stint-store-XXXXXX");
	if (!mkdtemp(spool))
		return -1;
	rmdir(spool);
	snprintf(record_path, sizeof(record_path), "%s/one.record", spool);
	snprintf(store_dir, sizeof(store_dir), "%s/place", spool);
	record = load("record-one.json");
	begin();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	empty();
	json_object_put(record);
	return 0;
}

static void set_job(int64_t id)
{
	json_object_object_add(field_find(record, "identity"), "job_id", json_object_new_int64(id));
}

static int put(const char *path)
{
	struct store_backlog_line line;
	struct error err = { "" };
	int result = store_backlog_make(&line, record, NULL, true, path, &err);

	if (result == 0)
		result = store_backlog_put(&backlog, &line, &err);
	free(line.text);
	if (result < 0)
		fail_msg("%s", err.text);
	return result;
}

static void put_jobs(int64_t first, int count)
{
	for (int i = 0; i < count; i++) {
		set_job(first + i);
		put(NULL);
	}
}

static void seal(bool all)
{
	struct error err = { "" };

	if (store_backlog_seal(&backlog, all, 3600, &err) < 0)
		fail_msg("%s", err.text);
}

static struct store_backlog_counts count(void)
{
	struct store_backlog_counts counts;

	store_backlog_count(&backlog, &counts);
	return counts;
}

/* ---- what batches have ---- */

static struct json_object *head_of(const char *text)
{
	cleanup_free char *line = strndup(text, strcspn(text, "\n"));

	return field_parse(line, strlen(line), "head", json_type_object, NULL);
}

/* Checks the batch, and counts in @seen, by the job's id, how often each line is there. */
static void take_batch(const char *name, const char *text, int *seen, size_t most)
{
	cleanup_json struct json_object *head = head_of(text);
	struct store_batch_head of_head = { .boot = field_text(head, "boot"), .node = field_text(head, "node") };
	char named[NAME_MAX + 1];
	int64_t lines = 0, sequence = 0;

	assert_true(store_batch_is_name(name));
	assert_true(field_count(head, "lines", &lines) && field_count(head, "sequence", &sequence));
	assert_int_equal(store_batch_head_lines(text, strlen(text)), lines);
	of_head.sequence = (uint64_t)sequence;
	store_batch_name(&of_head, named);
	assert_string_equal(named, name);
	for (text = strchr(text, '\n') + 1; *text; text = strchr(text, '\n') + 1, lines--) {
		cleanup_free char *one = strndup(text, strcspn(text, "\n"));
		struct error err = { "" };
		struct store_line line;

		if (store_line_read(one, strlen(one), name, &line, &err) < 0)
			fail_msg("%s", err.text);
		assert_in_range(line.identity.job_id, 1, most);
		seen[line.identity.job_id]++;
		store_line_free(&line);
	}
	assert_int_equal(lines, 0);
}

static void take_batches(int dirfd, int *seen, size_t most)
{
	cleanup_files struct store_files files = { 0 };
	struct error err;

	assert_int_equal(store_files_list(dirfd, "", &files, &err), 0);
	for (size_t i = 0; i < files.count; i++) {
		cleanup_free char *text = file_read(dirfd, files.files[i].name, STORE_BATCH_MAX, NULL, &err);

		assert_non_null(text);
		take_batch(files.files[i].name, text, seen, most);
	}
}

static void each_is_in_one_batch(int jobs)
{
	int seen[1024] = { 0 };

	take_batches(backlog.batches_fd, seen, 1023);
	for (int i = 1; i <= jobs; i++)
		assert_int_equal(seen[i], 1);
}

static void lines_are_sealed_in_batches_of_256(void **state)
{
	(void)state;
	put_jobs(1, 600);
	assert_int_equal(count().lines, 600);
	seal(false);
	assert_int_equal(count().lines, 600 - 512);
	assert_int_equal(count().batches, 2);
	seal(true);
	assert_int_equal(count().lines, 0);
	assert_int_equal(count().batches, 3);
	each_is_in_one_batch(600);
}

static void a_line_waits_no_longer_than_it_may(void **state)
{
	const struct timespec long_ago[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	const struct timespec to_come[2] = { { .tv_sec = 0x7fff0000 }, { .tv_sec = 0x7fff0000 } };
	cleanup_files struct store_files files = { 0 };

	(void)state;
	put_jobs(1, 2);
	seal(false);
	assert_int_equal(count().batches, 0);
	assert_int_equal(store_files_list(backlog.lines_fd, "", &files, NULL), 0);
	utimensat(backlog.lines_fd, files.files[0].name, long_ago, 0);
	seal(false);
	assert_int_equal(count().batches, 1);
	/* The clock was set back. */
	put_jobs(3, 1);
	store_files_free(&files);
	assert_int_equal(store_files_list(backlog.lines_fd, "", &files, NULL), 0);
	utimensat(backlog.lines_fd, files.files[0].name, to_come, 0);
	seal(false);
	assert_int_equal(count().batches, 2);
	each_is_in_one_batch(3);
}

static void a_later_line_of_the_same_record_replaces_the_earlier(void **state)
{
	int seen[8] = { 0 };

	(void)state;
	set_job(1);
	put(NULL);
	put(NULL);
	assert_int_equal(count().lines, 1);
	seal(true);
	take_batches(backlog.batches_fd, seen, 7);
	assert_int_equal(seen[1], 1);
}

/* Some file systems have no attributes of users. */
static bool has_attributes(void)
{
	return setxattr(record_path, "user.stint.test", "1", 1, 0) == 0;
}

static void a_record_that_is_delivered_again_has_no_second_line(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	struct store_backlog_line line;

	(void)state;
	if (!has_attributes())
		skip();
	set_job(1);
	put(record_path);
	seal(true);
	put(record_path);
	assert_int_equal(count().lines, 0);
	/* Now Slurm has said more. */
	assert_int_equal(store_backlog_make(&line, record, slurm, true, record_path, NULL), 0);
	assert_non_null(line.text);
	assert_int_equal(store_backlog_put(&backlog, &line, NULL), 0);
	free(line.text);
	assert_int_equal(count().lines, 1);
}

static void a_sequence_goes_on_and_a_lost_one_begins_anew_under_another_name(void **state)
{
	char first[NAME_MAX + 1], second[NAME_MAX + 1], boot[STORE_BATCH_BOOT];

	(void)state;
	put_jobs(1, 1);
	seal(true);
	strcpy(boot, backlog.state.boot);
	assert_int_equal(store_backlog_oldest(&backlog, first, NULL), 1);
	assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
	assert_string_equal(backlog.state.boot, boot);
	assert_int_equal(backlog.state.sequence, 1);
	assert_int_equal(store_backlog_remove(&backlog, first, NULL), 0);
	usleep(2000); /* the name has milliseconds */
	assert_int_equal(unlinkat(backlog.fd, "state", 0), 0);
	assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
	put_jobs(2, 1);
	seal(true);
	assert_int_equal(store_backlog_oldest(&backlog, second, NULL), 1);
	assert_string_not_equal(first, second);
	assert_int_equal(backlog.state.sequence, 1);
}

static void what_no_state_can_be_is_not_believed(void **state)
{
	static const char *const texts[] = {
		"", "store", "store 1 x y z\n", "store 2 000000000000-1 1 1 -\n.\n", "store 1 0123456789ab-1 99 99 -",
		"store 1 000000000000-1 5 5 -\n.\n", "store 1 000000000000111111111111111111111111111111111 5 5 -\n.\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(file_write(backlog.fd, "state", 0600, texts[i], strlen(texts[i]), NULL), 0);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		assert_int_equal(backlog.state.sequence, 0);
		assert_int_equal(backlog.state.dropped, 0);
		assert_non_null(strchr(backlog.state.boot, '-'));
	}
}

static void the_oldest_are_dropped_and_counted(void **state)
{
	struct error err = { "" };
	uint64_t bytes;

	(void)state;
	put_jobs(1, 3);
	seal(true);
	put_jobs(4, 2);
	seal(true);
	put_jobs(6, 4);
	bytes = count().bytes;
	assert_int_equal(store_backlog_bound(&backlog, bytes, &err), 0);
	assert_int_equal(count().dropped, 0);
	assert_int_equal(store_backlog_bound(&backlog, bytes - 1, &err), 0);
	assert_int_equal(count().dropped, 3);
	assert_int_equal(count().batches, 1);
	assert_int_equal(count().lines, 4);
	/* The next batch tells it. */
	seal(true);
	assert_int_equal(store_backlog_resume(&backlog, &err), 0);
	assert_int_equal(count().dropped, 3);
	put_jobs(10, 2);
	assert_int_equal(store_backlog_bound(&backlog, 1, &err), 0);
	assert_int_equal(count().dropped, 3 + 2 + 4 + 2);
	assert_int_equal(count().bytes, 0);
	put_jobs(20, 1);
	seal(true);
	{
		cleanup_json struct json_object *head = NULL;
		char name[NAME_MAX + 1];
		cleanup_free char *text = NULL;
		int64_t dropped = 0;

		assert_int_equal(store_backlog_oldest(&backlog, name, &err), 1);
		text = file_read(backlog.batches_fd, name, STORE_BATCH_MAX, NULL, &err);
		head = head_of(text);
		assert_true(field_count(head, "dropped", &dropped));
		assert_int_equal(dropped, 11);
	}
}

static void a_batch_that_was_counted_as_dropped_is_not_counted_twice(void **state)
{
	struct error err = { "" };
	char name[NAME_MAX + 1];

	(void)state;
	put_jobs(1, 3);
	seal(true);
	assert_int_equal(store_backlog_oldest(&backlog, name, &err), 1);
	/* killed behind the count */
	backlog.state.dropped = 3;
	strcpy(backlog.state.dropping, name);
	assert_int_equal(store_state_write(&backlog, &err), 0);
	assert_int_equal(store_backlog_resume(&backlog, &err), 0);
	assert_int_equal(count().batches, 0);
	assert_int_equal(count().dropped, 3);
}

static void a_damaged_line_is_left_out_and_counted(void **state)
{
	static const char *const texts[] = { "", "\n", "{\"stint_store\":1}",
					     "{\"stint_store\":1}\n{\"stint_store\":1}\n", "no line at all\n" };
	char name[16];

	(void)state;
	put_jobs(1, 1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(name, sizeof(name), "%zu.1.0", i + 100);
		assert_int_equal(file_write(backlog.lines_fd, name, 0600, texts[i], strlen(texts[i]), NULL), 0);
	}
	seal(true);
	assert_int_equal(count().lines, 0);
	assert_int_equal(count().dropped, sizeof(texts) / sizeof(texts[0]));
	each_is_in_one_batch(1);
}

static void two_do_not_have_one_lock(void **state)
{
	struct error err = { "" };
	int first, second;

	(void)state;
	first = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 0, &err);
	assert_true(first >= 0);
	second = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 30, &err);
	assert_int_equal(second, -1);
	assert_int_equal(errno, EWOULDBLOCK);
	close(first);
	second = store_backlog_lock(&backlog, STORE_BACKLOG_LOCK, 0, &err);
	assert_true(second >= 0);
	close(second);
}

/* ---- kills ---- */

/*
 * Runs @work in a process that is killed at the @stop-th end or begin of a system call. Returns whether it had ended before.
 */
static bool run_until(int stop, void (*work)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		work();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	while (WIFSTOPPED(status) && stop-- > 0) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		assert_int_equal(waitpid(child, &status, 0), child);
	}
	if (!WIFSTOPPED(status)) {
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		return true;
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return false;
}

static void seal_work(void)
{
	if (store_backlog_resume(&backlog, NULL) < 0 || store_backlog_seal(&backlog, true, 0, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_sealing_loses_and_doubles_no_line(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		put_jobs(1, 3);
		ended = run_until(stop, seal_work);
		put_jobs(4, 1);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		seal(true);
		assert_int_equal(count().lines, 0);
		each_is_in_one_batch(4);
	}
}

static void put_work(void)
{
	struct store_backlog_line line;

	if (store_backlog_make(&line, record, NULL, true, record_path, NULL) < 0 || store_backlog_put(&backlog, &line, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_putting_loses_and_doubles_no_line(void **state)
{
	bool ended = false;

	(void)state;
	if (!has_attributes())
		skip();
	set_job(1);
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		ended = run_until(stop, put_work);
		seal(true); /* what is there is sealed before the record is delivered again */
		put(record_path);
		seal(true);
		each_is_in_one_batch(1);
	}
}

static void bound_work(void)
{
	if (store_backlog_resume(&backlog, NULL) < 0 || store_backlog_bound(&backlog, 1, NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_dropping_counts_each_batch_once(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		put_jobs(1, 2);
		seal(true);
		put_jobs(3, 3);
		seal(true);
		ended = run_until(stop, bound_work);
		assert_int_equal(store_backlog_resume(&backlog, NULL), 0);
		assert_int_equal(store_backlog_bound(&backlog, 1, NULL), 0);
		assert_int_equal(count().batches, 0);
		assert_int_equal(count().dropped, 5);
	}
}

/* ---- the store's directory ---- */

static const char batch_name[] = "n1.0123456789ab-1.0000000001.ndjson";
static const char batch_text[] = "{\"store_batch\":1}\n";

static int place(struct error *err)
{
	return store_place_put(store_dir, batch_name, batch_text, strlen(batch_text), err);
}

/* Returns the path of something below the store's directory. */
static const char *below(const char *name)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/%s", store_dir, name);
	return path;
}

static const char *placed(void)
{
	char name[300], folder[STORE_BATCH_PLACE];

	store_batch_place(batch_name, folder);
	snprintf(name, sizeof(name), "new/%s/%s", folder, batch_name);
	return below(name);
}

static void is_placed(void)
{
	struct error err = { "" };
	size_t length;
	cleanup_free char *text = file_read(AT_FDCWD, placed(), 1000, &length, &err);
	struct stat st;

	if (!text)
		fail_msg("%s", err.text);
	assert_string_equal(text, batch_text);
	assert_int_equal(stat(placed(), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(rmdir(below("tmp")), 0); /* it is empty */
}

static void a_batch_is_placed_as_in_a_maildir(void **state)
{
	struct error err = { "" };

	(void)state;
	assert_int_equal(place(&err), 0);
	is_placed();
	/* The same again, since nobody knew that it was there. */
	assert_int_equal(place(&err), 0);
	is_placed();
}

static void place_work(void)
{
	if (place(NULL) < 0)
		_exit(1);
}

static void a_kill_in_the_middle_of_placing_leaves_no_half_batch(void **state)
{
	bool ended = false;

	(void)state;
	for (int stop = 1; !ended; stop++) {
		empty();
		begin();
		ended = run_until(stop, place_work);
		if (access(placed(), F_OK) == 0) {
			cleanup_free char *text = file_read(AT_FDCWD, placed(), 1000, NULL, NULL);

			assert_string_equal(text, batch_text);
		}
		assert_int_equal(place(NULL), 0);
		is_placed();
	}
}

static void no_link_is_followed(void **state)
{
	char elsewhere[100];
	struct error err = { "" };

	(void)state;
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", spool);
	assert_int_equal(mkdir(elsewhere, 0700), 0);
	assert_int_equal(symlink(elsewhere, below("tmp")), 0);
	assert_int_equal(place(&err), -1);
	assert_int_equal(unlink(below("tmp")), 0);
	assert_int_equal(symlink(elsewhere, below("new")), 0);
	assert_int_equal(place(&err), -1);
	assert_int_equal(unlink(below("new")), 0);
	assert_int_equal(rmdir(elsewhere), 0); /* nothing came there */
	assert_int_equal(place(&err), 0);
	is_placed();
}

static void a_link_with_the_batchs_name_is_replaced(void **state)
{
	char victim[100], name[300];
	struct error err = { "" };
	FILE *file;
	struct stat st;

	(void)state;
	snprintf(victim, sizeof(victim), "%s/victim", spool);
	file = fopen(victim, "w");
	fclose(file);
	assert_int_equal(place(&err), 0);
	assert_int_equal(unlink(placed()), 0);
	assert_int_equal(symlink(victim, placed()), 0);
	snprintf(name, sizeof(name), "tmp/%s", batch_name);
	assert_int_equal(symlink(victim, below(name)), 0);
	assert_int_equal(place(&err), 0);
	is_placed();
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 0);
}

static void a_directory_that_others_can_write_is_not_used(void **state)
{
	static const mode_t modes[] = { 0777, 01777, 0702 };
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(chmod(store_dir, modes[i]), 0);
		assert_int_equal(place(&err), -1);
		assert_non_null(strstr(err.text, "can write there"));
		assert_int_equal(access(below("tmp"), F_OK), -1);
	}
	assert_int_equal(chmod(store_dir, 0755), 0);
	assert_int_equal(mkdir(below("new"), 0700), 0);
	assert_int_equal(chmod(below("new"), 0777), 0);
	assert_int_equal(place(&err), -1);
	assert_non_null(strstr(err.text, "writable by nobody else"));
	assert_int_equal(chmod(below("new"), 0700), 0);
	assert_int_equal(place(&err), 0);
}

static void a_directory_that_is_missing_is_not_made(void **state)
{
	struct error err = { "" };

	(void)state;
	assert_int_equal(rmdir(store_dir), 0);
	assert_int_equal(place(&err), -1);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(access(store_dir, F_OK), -1);
	assert_int_equal(mkdir(store_dir, 0755), 0);
}

/* ---- names ---- */

static void a_batchs_name_is_a_plain_one_whatever_the_node_is_called(void **state)
{
	static const char *const nodes[] = { "", "..", "../../etc/passwd", "n\n1", "n 1;rm", ".hidden", "\xc3\xa4", NULL };
	char name[NAME_MAX + 1], folder[STORE_BATCH_PLACE], longest[400];

	(void)state;
	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (size_t i = 0; i <= sizeof(nodes) / sizeof(nodes[0]); i++) {
		struct store_batch_head head = { .node = i == sizeof(nodes) / sizeof(nodes[0]) ? longest : nodes[i],
						 .boot = "0123456789ab-18c0ffee123",
						 .sequence = UINT64_MAX };

		store_batch_name(&head, name);
		assert_true(store_batch_is_name(name));
		assert_true(strlen(name) + strlen(STORE_SEALING) <= NAME_MAX);
		store_batch_place(name, folder);
		assert_int_equal(strspn(folder, "0123456789abcdef"), 2);
	}
	assert_false(store_batch_is_name(".x.ndjson"));
	assert_false(store_batch_is_name("a/b.ndjson"));
	assert_false(store_batch_is_name("x.ndjson.sealing"));
	assert_false(store_batch_is_name(".ndjson"));
}

static void a_head_is_no_longer_than_it_may_be(void **state)
{
	char *huge = calloc(1, STORE_BATCH_HEAD_MAX + 1);
	struct store_batch_head head = { .cluster = huge, .node = "n1", .boot = "b" };
	struct error err = { "" };
	size_t length;

	(void)state;
	memset(huge, 'x', STORE_BATCH_HEAD_MAX);
	assert_null(store_batch_head_make(&head, &length, &err));
	assert_non_null(strstr(err.text, "too long"));
	free(huge);
}

/* Puts a batch of 100 bytes that is @age_s old. */
static void put_aged(const char *name, int age_s)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1000000 - age_s } };
	struct error err = { "" };
	char text[100], folder[STORE_BATCH_PLACE], path[256];

	memset(text, 'x', sizeof(text));
	if (store_place_put(store_dir, name, text, sizeof(text), &err) < 0)
		fail_msg("%s", err.text);
	store_batch_place(name, folder);
	snprintf(path, sizeof(path), "%s/new/%s/%s", store_dir, folder, name);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_kept(const char *name)
{
	char folder[STORE_BATCH_PLACE], path[256];

	store_batch_place(name, folder);
	snprintf(path, sizeof(path), "%s/new/%s/%s", store_dir, folder, name);
	return access(path, F_OK) == 0;
}

static void a_nodes_own_store_keeps_the_latest(void **state)
{
	struct error err = { "" };
	int at;

	(void)state;
	put_aged("n1.b.0000000001.ndjson", 10);
	put_aged("n1.b.0000000002.ndjson", 30);
	put_aged("n1.b.0000000003.ndjson", 20);
	at = store_place_open(store_dir, &err);
	assert_true(at >= 0);
	assert_int_equal(store_trim(at, 300), 0);
	assert_int_equal(store_trim(at, 299), 1);
	assert_false(is_kept("n1.b.0000000002.ndjson"));
	assert_int_equal(store_trim(at, 100), 1);
	assert_true(is_kept("n1.b.0000000001.ndjson"));
	assert_false(is_kept("n1.b.0000000003.ndjson"));
	close(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(lines_are_sealed_in_batches_of_256),
		TEST(a_line_waits_no_longer_than_it_may),
		TEST(a_later_line_of_the_same_record_replaces_the_earlier),
		TEST(a_record_that_is_delivered_again_has_no_second_line),
		TEST(a_sequence_goes_on_and_a_lost_one_begins_anew_under_another_name),
		TEST(what_no_state_can_be_is_not_believed),
		TEST(the_oldest_are_dropped_and_counted),
		TEST(a_batch_that_was_counted_as_dropped_is_not_counted_twice),
		TEST(a_damaged_line_is_left_out_and_counted),
		TEST(two_do_not_have_one_lock),
		TEST(a_kill_in_the_middle_of_sealing_loses_and_doubles_no_line),
		TEST(a_kill_in_the_middle_of_putting_loses_and_doubles_no_line),
		TEST(a_kill_in_the_middle_of_dropping_counts_each_batch_once),
		TEST(a_batch_is_placed_as_in_a_maildir),
		TEST(a_kill_in_the_middle_of_placing_leaves_no_half_batch),
		TEST(no_link_is_followed),
		TEST(a_link_with_the_batchs_name_is_replaced),
		TEST(a_directory_that_others_can_write_is_not_used),
		TEST(a_directory_that_is_missing_is_not_made),
		TEST(a_nodes_own_store_keeps_the_latest),
		TEST(a_batchs_name_is_a_plain_one_whatever_the_node_is_called),
		TEST(a_head_is_no_longer_than_it_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
