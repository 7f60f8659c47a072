/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what a job's GPUs add up to, that absent numbers stay absent, and what a valid message is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/job/job_gpus.h"

#define SECOND 1000000000ull
#define GIB (1ull << 30)

static struct job_gpus gpus;
static bool owned[GPU_PROCESSES_MAX], listed;
static union {
	struct gpu_sample sample;
	char room[GPU_SAMPLE_MAX];
} here;
static struct gpu_sample *const sample = &here.sample;
static const struct gpu_device device = { .card = GPU_NONE, .uuid = "GPU-1" };

static void begin(void)
{
	job_gpus_free(&gpus);
	memset(owned, 0, sizeof(owned));
	listed = true;
}

/* A sample from @from to @to seconds in which nothing is known. */
static void empty(double from, double to)
{
	memset(&here, 0, sizeof(here));
	sample->from_ns = (uint64_t)(from * SECOND);
	sample->to_ns = (uint64_t)(to * SECOND);
}

static void add(void)
{
	job_gpus_add(&gpus, &device, sample, 10 * SECOND, owned, listed);
}

static void a_share_is_weighted_by_time(void **state)
{
	(void)state;
	begin();
	empty(10, 11);
	sample->values[GPU_BUSY] = gpu_known(500000);
	add();
	empty(11, 14);
	sample->values[GPU_BUSY] = gpu_sampled(100000, SECOND);
	add();
	empty(14, 20);
	sample->values[GPU_BUSY] = gpu_absent(GPU_WHY_LOST);
	add();
	assert_int_equal(gpus.count, 1);
	assert_true(gpus.gpus[0].shares[GPU_BUSY].known_us == 4000000);
	assert_true(gpus.gpus[0].shares[GPU_BUSY].covered_us == 2000000);
	assert_true(gpus.gpus[0].shares[GPU_BUSY].counted_us == 1000000);
	assert_true(gpus.gpus[0].shares[GPU_BUSY].busy == 500000 * 1000000ull + 100000 * 3000000ull);
	assert_int_equal(gpus.gpus[0].shares[GPU_BUSY].why, GPU_WHY_LOST);
}

static void what_was_before_the_job_does_not_count(void **state)
{
	(void)state;
	begin();
	empty(8, 9.5);
	sample->values[GPU_BUSY] = gpu_known(1000000);
	sample->values[GPU_MEMORY_USED] = gpu_known(9 * GIB);
	add();
	empty(9.5, 10.5);
	sample->values[GPU_BUSY] = gpu_known(1000000);
	add();
	assert_true(gpus.gpus[0].shares[GPU_BUSY].known_us == 500000);
	assert_int_equal(gpus.gpus[0].peak.state, GPU_ABSENT);
}

static void what_was_never_known_is_absent_with_its_reason(void **state)
{
	const struct job_gpu *gpu;
	uint64_t value;

	(void)state;
	begin();
	for (int i = 0; i < 3; i++) {
		empty(10 + i, 11 + i);
		for (int v = 0; v < GPU_VALUES; v++)
			sample->values[v] = gpu_absent(GPU_WHY_NO_PERMISSION);
		add();
	}
	gpu = &gpus.gpus[0];
	for (int i = 0; i < JOB_GPU_SHARES; i++) {
		assert_true(gpu->shares[i].known_us == 0);
		assert_int_equal(gpu->shares[i].why, GPU_WHY_NO_PERMISSION);
	}
	assert_false(gpu_number_get(&gpu->total, &value) || gpu_number_get(&gpu->peak, &value) ||
		     gpu_number_get(&gpu->job_peak, &value) || gpu_number_get(&gpu->xids, &value));
	assert_int_equal(gpu->job_peak.why, GPU_WHY_NO_PERMISSION);
	assert_false(gpu->energy.known);
	assert_int_equal(gpu->energy.why, GPU_WHY_NO_PERMISSION);
	assert_true(gpu->throttle_known_us == 0);
	assert_false(gpu->used);
}

static void add_energy(double at, uint64_t mj)
{
	empty(at - 1, at);
	sample->values[GPU_ENERGY] = gpu_known(mj);
	add();
}

static void energy_is_the_difference_of_a_counter_that_never_goes_back(void **state)
{
	(void)state;
	begin();
	add_energy(11, 5000);
	add_energy(12, 5700);
	assert_true(gpus.gpus[0].energy.known);
	assert_true(gpus.gpus[0].energy.last - gpus.gpus[0].energy.first == 700);
	add_energy(13, 100);
	add_energy(14, 900);
	assert_false(gpus.gpus[0].energy.known);
}

static void xids_are_known_only_if_all_readings_knew_them(void **state)
{
	uint64_t value;

	(void)state;
	begin();
	for (int i = 0; i < 2; i++) {
		empty(10 + i, 11 + i);
		sample->values[GPU_XIDS] = gpu_known(2);
		sample->xids[0] = (struct gpu_xid){ 31, 1 };
		sample->xids[1] = (struct gpu_xid){ 79, 1 };
		add();
	}
	assert_true(gpu_number_get(&gpus.gpus[0].xids, &value) && value == 4);
	assert_int_equal(gpus.gpus[0].xid[1].xid, 79);
	assert_int_equal(gpus.gpus[0].xid[1].count, 2);
	empty(12, 13);
	sample->values[GPU_XIDS] = gpu_absent(GPU_WHY_LOST);
	add();
	empty(13, 14);
	sample->values[GPU_XIDS] = gpu_known(0);
	add();
	assert_false(gpu_number_get(&gpus.gpus[0].xids, &value));
}

static void add_xid(double from, double to, uint64_t count)
{
	empty(from, to);
	sample->values[GPU_XIDS] = gpu_known(count);
	sample->values[GPU_ENERGY] = gpu_known((uint64_t)(to * 100));
	add();
}

static void xids_are_not_known_if_there_was_a_time_without_readings(void **state)
{
	uint64_t value;

	(void)state;
	begin();
	add_xid(11, 11, 0); /* the first sample of a stint-gpu */
	add_xid(11, 15, 1); /* rounds were left out */
	assert_true(gpu_number_get(&gpus.gpus[0].xids, &value) && value == 1);
	add_xid(20, 20, 0); /* another stint-gpu */
	add_xid(20, 21, 0);
	assert_false(gpu_number_get(&gpus.gpus[0].xids, &value));
	assert_int_equal(gpus.gpus[0].xids.why, GPU_WHY_GAP);
	assert_true(gpus.gpus[0].energy.known); /* a counter of the card */
	assert_true(gpus.gpus[0].energy.last - gpus.gpus[0].energy.first == 1000);
}

static void a_sum_that_does_not_begin_with_the_job_is_not_known(void **state)
{
	uint64_t value;

	(void)state;
	begin();
	add_xid(40, 40, 0); /* the job's begin is at 10 */
	add_xid(40, 41, 0);
	assert_true(gpus.gpus[0].energy.known);
	assert_true(gpu_number_get(&gpus.gpus[0].xids, &value) && value == 0);
	begin();
	add_xid(40.5, 40.5, 0);
	add_xid(40.5, 41, 2);
	assert_false(gpus.gpus[0].energy.known);
	assert_int_equal(gpus.gpus[0].energy.why, GPU_WHY_LATE);
	assert_false(gpu_number_get(&gpus.gpus[0].xids, &value));
	assert_int_equal(gpus.gpus[0].xids.why, GPU_WHY_LATE);
}

static void add_busy(double from, double to, struct gpu_number busy)
{
	empty(from, to);
	sample->values[GPU_BUSY] = busy;
	add();
}

static void the_idle_tail_is_of_readings_in_which_nothing_ran(void **state)
{
	(void)state;
	begin();
	add_busy(11, 11, gpu_absent(GPU_WHY_FIRST));
	add_busy(11, 13, gpu_known(0));
	assert_true(gpus.gpus[0].idle_us == 2000000);
	add_busy(13, 14, gpu_known(1000)); /* a thousandth */
	assert_true(gpus.gpus[0].idle_us == 0);
	add_busy(14, 16, gpu_known(999));
	add_busy(16, 17, gpu_sampled(0, 9 * SECOND / 10));
	assert_true(gpus.gpus[0].idle_us == 3000000);
	/* it may have been busy in what the samples do not cover, and between readings */
	add_busy(17, 18, gpu_sampled(0, 9 * SECOND / 10 - 1000));
	assert_true(gpus.gpus[0].idle_us == 0);
	add_busy(18, 19, gpu_known(0));
	add_busy(20, 21, gpu_known(0));
	assert_true(gpus.gpus[0].idle_us == 1000000);
	add_busy(21, 22, gpu_absent(GPU_WHY_LOST));
	assert_true(gpus.gpus[0].idle_us == 0);
}

static void add_listed(double from, struct gpu_number processes, bool known)
{
	empty(from, from + 1);
	sample->values[GPU_PROCESSES] = processes;
	listed = known;
	add();
}

static void processes_are_known_if_they_are_on_each_gpu(void **state)
{
	static const struct gpu_device other = { .card = GPU_NONE, .uuid = "GPU-2" };

	(void)state;
	begin();
	assert_true(job_gpus_listed_us(&gpus) == 0);
	add_listed(10, gpu_known(0), true);
	add_listed(11, gpu_known(0), true);
	add_listed(12, gpu_known(0), false);
	add_listed(13, gpu_absent(GPU_WHY_NO_PERMISSION), true);
	add_listed(14, gpu_sampled(0, 0), true);
	assert_true(job_gpus_listed_us(&gpus) == 2000000);
	empty(15, 16);
	job_gpus_add(&gpus, &other, sample, 10 * SECOND, owned, true);
	assert_true(job_gpus_listed_us(&gpus) == 0);
	empty(16, 17);
	sample->values[GPU_PROCESSES] = gpu_known(0);
	job_gpus_add(&gpus, &other, sample, 10 * SECOND, owned, true);
	assert_true(job_gpus_listed_us(&gpus) == 1000000);
}

static void add_process(uint32_t pid, struct gpu_number memory, bool own)
{
	owned[sample->processes] = own;
	sample->process[sample->processes++] = (struct gpu_process){ .pid = pid, .memory = memory };
	sample->values[GPU_PROCESSES] = gpu_known(sample->processes);
}

static void memory_is_that_of_the_jobs_processes_at_one_moment(void **state)
{
	uint64_t value;

	(void)state;
	begin();
	empty(10, 11);
	add_process(100, gpu_known(3 * GIB), true);
	add_process(101, gpu_known(9 * GIB), false);
	add();
	empty(11, 12);
	add_process(100, gpu_known(GIB), true);
	add_process(102, gpu_known(GIB), true);
	add();
	assert_true(gpus.gpus[0].used && gpus.gpus[0].others);
	assert_true(gpu_number_get(&gpus.gpus[0].job_peak, &value) && value == 3 * GIB);
	assert_int_equal(gpus.gpus[0].process_count, 2);
	assert_true(gpus.gpus[0].processes[0].peak_bytes == 3 * GIB);
}

static void a_pid_that_was_away_is_another_process(void **state)
{
	(void)state;
	begin();
	empty(10, 11);
	add_process(100, gpu_known(3 * GIB), true);
	add();
	empty(11, 12);
	sample->values[GPU_PROCESSES] = gpu_known(0);
	add();
	empty(12, 13);
	add_process(100, gpu_absent(GPU_WHY_NO_DATA), true);
	add();
	assert_int_equal(gpus.gpus[0].process_count, 2);
	assert_true(gpus.gpus[0].processes[1].first_ns == 13 * SECOND);
	assert_false(gpus.gpus[0].processes[1].peak_known);
	assert_false(gpus.gpus[0].others);
}

static void many_processes_are_counted_and_not_kept(void **state)
{
	(void)state;
	begin();
	empty(10, 11);
	for (uint32_t i = 0; i < GPU_PROCESSES_MAX; i++)
		add_process(100 + i, gpu_known(1), true);
	add();
	sample->from_ns = sample->to_ns;
	sample->to_ns += SECOND;
	add();
	assert_int_equal(gpus.gpus[0].process_count, JOB_GPU_PROCESSES_MAX);
	assert_true(gpus.gpus[0].processes_lost == GPU_PROCESSES_MAX - JOB_GPU_PROCESSES_MAX);
}

static void only_messages_of_the_form_are_valid(void **state)
{
	(void)state;
	empty(1, 2);
	add_process(100, gpu_known(1), true);
	sample->header = (struct gpu_header){ GPU_PROTOCOL, GPU_SAMPLE, sizeof(*sample) + sizeof(sample->process[0]) };
	assert_true(gpu_message_is_valid(sample, sample->header.size));
	assert_false(gpu_message_is_valid(sample, sample->header.size - 8));
	sample->values[GPU_BUSY] = gpu_known(GPU_SHARE_ALL + 1);
	assert_false(gpu_message_is_valid(sample, sample->header.size));
	sample->values[GPU_BUSY] = (struct gpu_number){ .bits = 1 }; /* absent, and yet a value */
	assert_false(gpu_message_is_valid(sample, sample->header.size));
	sample->values[GPU_BUSY] = gpu_absent(GPU_WHY_FIRST);
	assert_true(gpu_message_is_valid(sample, sample->header.size));
	sample->processes = UINT32_MAX;
	assert_false(gpu_message_is_valid(sample, sample->header.size));
	sample->processes = 1;
	sample->header.protocol++;
	assert_false(gpu_message_is_valid(sample, sample->header.size));
}

static int end(void **state)
{
	(void)state;
	job_gpus_free(&gpus);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_weighted_by_time),
		cmocka_unit_test(what_was_before_the_job_does_not_count),
		cmocka_unit_test(what_was_never_known_is_absent_with_its_reason),
		cmocka_unit_test(energy_is_the_difference_of_a_counter_that_never_goes_back),
		cmocka_unit_test(xids_are_known_only_if_all_readings_knew_them),
		cmocka_unit_test(xids_are_not_known_if_there_was_a_time_without_readings),
		cmocka_unit_test(a_sum_that_does_not_begin_with_the_job_is_not_known),
		cmocka_unit_test(the_idle_tail_is_of_readings_in_which_nothing_ran),
		cmocka_unit_test(processes_are_known_if_they_are_on_each_gpu),
		cmocka_unit_test(memory_is_that_of_the_jobs_processes_at_one_moment),
		cmocka_unit_test(a_pid_that_was_away_is_another_process),
		cmocka_unit_test(many_processes_are_counted_and_not_kept),
		cmocka_unit_test(only_messages_of_the_form_are_valid),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
