/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that stint-gpu runs while it is wanted, and that one that dies, hangs or writes junk costs only its samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/sampler/gpu_helper.h"
#include "common/file.h"
#include "tests/unit/set_clock.h"

#define HOW "STINT_TEST_HOW" /* what this program does as stint-gpu */
#define SECOND 1000000000ull

static struct gpu_helper here;
static struct gpu_helper *const helper = &here;
static int taken;
static uint64_t value;

/* ---- this program as stint-gpu ---- */

static void put(const void *message, size_t size)
{
	file_write_all(STDOUT_FILENO, message, size);
}

static void put_round(uint32_t gpu)
{
	struct gpu_device device = { .header = { GPU_PROTOCOL, GPU_DEVICE, sizeof(device) }, .card = GPU_NONE };
	struct gpu_sample sample = { .header = { GPU_PROTOCOL, GPU_SAMPLE, sizeof(sample) }, .gpu = gpu };
	struct gpu_round end = { .header = { GPU_PROTOCOL, GPU_ROUND, sizeof(end) } };

	sample.values[GPU_MEMORY_USED] = gpu_known(4711);
	put(&device, sizeof(device));
	put(&sample, sizeof(sample));
	put(&end, sizeof(end));
}

static int be_sampler(const char *how)
{
	char byte;

	signal(SIGPIPE, SIG_IGN);
	if (strcmp(how, "dies") == 0)
		return 1;
	if (strcmp(how, "writes junk") == 0)
		put("no message of any form", 22);
	if (strcmp(how, "names an unknown GPU") == 0)
		put_round(1);
	if (strcmp(how, "works") == 0)
		put_round(0);
	while (strcmp(how, "hangs") == 0)
		pause();
	return read(STDIN_FILENO, &byte, 1) == 0 ? 0 : 1;
}

/* ---- as stintd ---- */

static void take(const struct gpu_device *device, const struct gpu_sample *sample, void *data)
{
	assert_ptr_equal(data, &taken);
	assert_int_equal(device->card, GPU_NONE);
	assert_true(gpu_number_get(&sample->values[GPU_MEMORY_USED], &value));
	taken++;
}

static void tick(bool wanted)
{
	gpu_helper_tick(helper, wanted, take, &taken);
}

static void begin(const char *how)
{
	char program[sizeof(helper->program)];

	memset(helper, 0, sizeof(*helper));
	taken = 0;
	setenv(HOW, how, 1);
	program[readlink("/proc/self/exe", program, sizeof(program) - 1)] = '\0';
	snprintf(helper->program, sizeof(helper->program), "%s", program);
	tick(true);
	assert_true(helper->pid > 0);
}

static void wait_for_output(void)
{
	struct pollfd output = { helper->out_fd, POLLIN, 0 };

	assert_int_equal(poll(&output, 1, 60000), 1);
}

/* Waits for the end of the child. Returns its wait status. */
static int wait_for_end(void)
{
	int pid = helper->pid, status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_false(gpu_helper_ended(helper, pid + 1, status));
	assert_true(gpu_helper_ended(helper, pid, status));
	assert_int_equal(helper->pid, 0);
	return status;
}

static void assert_starts_after(uint64_t seconds)
{
	set_clock_add(seconds * SECOND - 1);
	tick(true);
	assert_int_equal(helper->pid, 0);
	assert_string_not_equal(helper->why, "");
	set_clock_add(1);
	tick(true);
	assert_true(helper->pid > 0);
	assert_string_equal(helper->why, "");
}

static void stop_it(void)
{
	kill(helper->pid, SIGKILL);
	wait_for_end();
}

static void there_is_none_that_nobody_wants(void **state)
{
	(void)state;
	memset(helper, 0, sizeof(*helper));
	tick(false);
	assert_int_equal(helper->pid, 0);
}

static void its_samples_are_taken_and_it_ends_with_the_last_job(void **state)
{
	(void)state;
	begin("works");
	while (!taken) {
		wait_for_output();
		tick(true);
	}
	assert_int_equal(taken, 1);
	assert_int_equal(value, 4711);
	assert_string_equal(helper->why, "");
	tick(false);
	assert_int_equal(wait_for_end(), SIGKILL);
	assert_string_equal(helper->why, "");
	tick(true); /* the next job has one at once */
	assert_true(helper->pid > 0);
	tick(false);
	wait_for_end();
}

static void one_that_writes_junk_is_killed(void **state)
{
	static const char *const how[] = { "writes junk", "names an unknown GPU" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(how[i]);
		while (!helper->stopping) {
			wait_for_output();
			tick(true);
		}
		assert_int_equal(wait_for_end(), SIGKILL);
		assert_int_equal(taken, 0);
		assert_string_equal(helper->why, "stint-gpu wrote what is no message");
		assert_starts_after(5);
		stop_it();
	}
}

static void one_that_hangs_is_killed_after_20_seconds(void **state)
{
	(void)state;
	begin("hangs");
	set_clock_add(20 * SECOND);
	tick(true);
	assert_false(helper->stopping);
	set_clock_add(1);
	tick(true);
	assert_int_equal(wait_for_end(), SIGKILL);
	assert_string_equal(helper->why, "the vendor's library did not answer");
	assert_starts_after(5);
	stop_it();
}

static void one_that_nobody_wants_is_killed_at_once(void **state)
{
	int pid;

	(void)state;
	gpu_helper_stop(memset(helper, 0, sizeof(*helper))); /* there is none */
	begin("hangs");
	pid = helper->pid;
	gpu_helper_stop(helper);
	gpu_helper_stop(helper);
	tick(true); /* a new job gets none while this one lives */
	assert_int_equal(helper->pid, pid);
	assert_int_equal(wait_for_end(), SIGKILL);
	tick(true); /* and then has one at once */
	assert_true(helper->pid > 0);
	stop_it();
}

static void one_that_dies_has_a_successor_later_each_time(void **state)
{
	(void)state;
	begin("dies");
	wait_for_end();
	assert_string_equal(helper->why, "stint-gpu ended with status 1");
	for (uint64_t seconds = 5; seconds <= 640; seconds *= 2) {
		assert_starts_after(seconds);
		wait_for_end();
	}
	assert_starts_after(640);
	wait_for_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_none_that_nobody_wants),
		cmocka_unit_test(its_samples_are_taken_and_it_ends_with_the_last_job),
		cmocka_unit_test(one_that_writes_junk_is_killed),
		cmocka_unit_test(one_that_hangs_is_killed_after_20_seconds),
		cmocka_unit_test(one_that_nobody_wants_is_killed_at_once),
		cmocka_unit_test(one_that_dies_has_a_successor_later_each_time),
	};
	const char *how = getenv(HOW);

	return how ? be_sampler(how) : cmocka_run_group_tests(tests, NULL, NULL);
}
