/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests when stintd has a keeper, and that each record for it is answered.
 * stintd works without a keeper that is slow or gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/record/keeper.h"
#include "common/file.h"
#include "common/frame.h"

#define TEXT "{\"stint_record\":1}"
#define PATIENCE_MS 60000

static char base[64];
static struct conf conf;
static struct spool spool;
static struct keeper here;
static struct keeper *const keeper = &here;
static int run_fd;

static int begin(void **state)
{
	char run[96];
	struct error err;

	(void)state;
	strcpy(base, "/tmp/stint-keeper.XXXXXX");
	assert_non_null(mkdtemp(base));
	snprintf(run, sizeof(run), "%s/run", base);
	assert_int_equal(mkdir(run, 0700), 0);
	run_fd = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	conf = (struct conf){ .spool_max_age_h = 168, .spool_max_mb = 16 };
	snprintf(conf.run_dir, sizeof(conf.run_dir), "%s", run);
	snprintf(conf.spool_dir, sizeof(conf.spool_dir), "%s/spool", base);
	assert_int_equal(spool_open(&spool, &conf, run_fd, &err), 0);
	assert_int_equal(keeper_open(keeper, &err), 0);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static int end(void **state)
{
	(void)state;
	if (keeper->pid) {
		kill(keeper->pid, SIGKILL);
		waitpid(keeper->pid, NULL, 0);
		close(keeper->fd);
	}
	close(keeper->epoll_fd);
	close(run_fd);
	for (int i = 0; i < SPOOL_PLACES; i++)
		close(spool.places[i].fd);
	return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void start(void)
{
	assert_false(keeper_is_at_hand(keeper, &spool));
	assert_int_equal(keeper->pid, 0);
	assert_true(keeper_is_at_hand(keeper, &spool));
	assert_true(keeper->pid > 0);
}

static uint64_t put(const char *name)
{
	return keeper_put(keeper, name, TEXT, strlen(TEXT));
}

static void await(struct keeper_answer *answer)
{
	struct pollfd ready = { keeper_fd(keeper), POLLIN, 0 };

	assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
	assert_true(keeper_take(keeper, answer));
}

static void reap(void)
{
	int pid = keeper->pid, status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(keeper_ended(keeper, pid, status));
	assert_int_equal(keeper->pid, 0);
	assert_false(keeper_ended(keeper, pid, status));
}

static void assert_kept(const char *name)
{
	char path[PATH_MAX];
	const char *content;
	size_t size, length;
	char *frame;

	assert_true(spool_find(&spool, name, path));
	frame = file_read(AT_FDCWD, path, 4096, &size, NULL);
	assert_non_null(frame);
	content = frame_content(frame, size, FRAME_RECORD, name, &length, NULL);
	assert_non_null(content);
	assert_int_equal(length, strlen(TEXT));
	assert_memory_equal(content, TEXT, length);
	free(frame);
}

static void it_comes_with_the_second_record_and_answers_for_each(void **state)
{
	struct keeper_answer answer;

	(void)state;
	start();
	assert_int_equal(put("a.u1.record"), 1);
	assert_int_equal(put("b.u1.record"), 2);
	for (uint64_t turn = 1; turn <= 2; turn++) {
		await(&answer);
		assert_int_equal(answer.turn, turn);
		assert_true(answer.kept);
		assert_string_equal(answer.why, "");
	}
	assert_false(keeper_take(keeper, &answer));
	assert_kept("a.u1.record");
	assert_kept("b.u1.record");
}

static void one_record_in_a_long_time_has_none(void **state)
{
	(void)state;
	assert_false(keeper_is_at_hand(keeper, &spool));
	keeper->standby.wanted_ns -= 11000000000ull;
	assert_false(keeper_is_at_hand(keeper, &spool));
	assert_int_equal(keeper->pid, 0);
}

static void what_is_too_large_for_it_is_not_taken(void **state)
{
	static char text[KEEPER_RECORD_MAX + 1];
	char name[NAME_MAX + 2];
	struct keeper_answer answer;

	(void)state;
	memset(text, ' ', sizeof(text));
	memset(name, 'n', sizeof(name));
	name[NAME_MAX + 1] = '\0';
	start();
	assert_int_equal(keeper_put(keeper, "a.u1.record", text, KEEPER_RECORD_MAX + 1), 0);
	assert_int_equal(put(name), 0);
	assert_int_equal(keeper_put(keeper, "a.u1.record", text, KEEPER_RECORD_MAX), 1);
	await(&answer);
	assert_true(answer.kept);
}

static void why_a_record_is_not_kept_on_the_disk_is_said(void **state)
{
	struct keeper_answer answer;
	char damaged[PATH_MAX + 16];

	(void)state;
	start();
	assert_int_equal(put("no/name.u1.record"), 1);
	await(&answer);
	assert_int_equal(answer.turn, 1);
	assert_false(answer.kept);
	assert_non_null(strstr(answer.why, "no/name.u1.record"));
	snprintf(damaged, sizeof(damaged), "%s/" SPOOL_DAMAGED, conf.spool_dir);
	assert_int_equal(rmdir(damaged), 0);
	assert_int_equal(rmdir(conf.spool_dir), 0);
	close(creat(conf.spool_dir, 0600)); /* so that it is not made again */
	assert_int_equal(put("a.u1.record"), 2);
	await(&answer);
	assert_true(answer.kept); /* the record is in memory */
	assert_non_null(strstr(answer.why, conf.spool_dir));
	assert_kept("a.u1.record");
}

static void one_that_waits_for_the_disk_gets_no_more(void **state)
{
	struct keeper_answer answer;

	(void)state;
	start();
	kill(keeper->pid, SIGSTOP);
	assert_int_equal(put("a.u1.record"), 1);
	assert_true(keeper_is_at_hand(keeper, &spool));
	keeper->since_ns -= 1000000000ull;
	assert_false(keeper_is_at_hand(keeper, &spool));
	kill(keeper->pid, SIGCONT);
	await(&answer);
	assert_true(keeper_is_at_hand(keeper, &spool));
}

static void one_that_was_killed_has_no_successor_soon(void **state)
{
	struct keeper_answer answer;

	(void)state;
	start();
	kill(keeper->pid, SIGKILL);
	reap();
	assert_false(keeper_take(keeper, &answer));
	assert_false(keeper_is_at_hand(keeper, &spool));
	assert_int_equal(keeper->pid, 0);
	keeper->standby.after_ns = 0;
	assert_true(keeper_is_at_hand(keeper, &spool));
	assert_int_equal(keeper->waiting, 0);
	assert_int_equal(put("a.u1.record"), 1);
	await(&answer);
	assert_true(answer.kept);
}

static void it_has_nothing_of_stintds_open_but_the_spool(void **state)
{
	char path[64], target[PATH_MAX];
	struct keeper_answer answer;
	int others = 0;

	(void)state;
	start();
	assert_int_equal(put("a.u1.record"), 1);
	await(&answer); /* the keeper has begun the record */
	for (int fd = 3; fd < 256; fd++) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", keeper->pid, fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length < 0)
			continue;
		target[length] = '\0';
		others += strncmp(target, base, strlen(base)) != 0 || strstr(target, "spool") == NULL;
	}
	assert_int_equal(others, 1); /* the keeper's socket */
}

static void it_goes_with_stintd(void **state)
{
	struct pollfd gone;
	int pipe_fds[2], pid;

	(void)state;
	assert_int_equal(pipe2(pipe_fds, 0), 0);
	pid = fork();
	if (pid == 0) {
		keeper_is_at_hand(keeper, &spool);
		keeper_is_at_hand(keeper, &spool);
		_exit(!keeper->pid);
	}
	close(pipe_fds[1]);
	gone = (struct pollfd){ pipe_fds[0], POLLIN, 0 };
	assert_int_equal(poll(&gone, 1, PATIENCE_MS), 1);
	assert_int_equal(gone.revents, POLLHUP);
	close(pipe_fds[0]);
	waitpid(pid, NULL, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_comes_with_the_second_record_and_answers_for_each),
		TEST(one_record_in_a_long_time_has_none),
		TEST(what_is_too_large_for_it_is_not_taken),
		TEST(why_a_record_is_not_kept_on_the_disk_is_said),
		TEST(one_that_waits_for_the_disk_gets_no_more),
		TEST(one_that_was_killed_has_no_successor_soon),
		TEST(it_has_nothing_of_stintds_open_but_the_spool),
		TEST(it_goes_with_stintd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
