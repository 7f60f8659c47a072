/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a stintd that starts beside many jobs walks over the node's threads as often as beside one.
 * Each job gets its own CPU time. A running stintd does likewise if walks take long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/follow/before.h"
#include "collector/follow/follow.h"
#include "collector/follow/resume.h"
#include "collector/journal/handover.h"
#include "collector/kernel/programs_internal.h"
#include "collector/kernel/programs_internal.h"
#include "tests/unit/set_clock.h"

#define JOBS 300
#define FIRST_KEY 1000
#define WALKS_MAX 4 /* for jobs that run all the time */
#define MS 1000000ull

static struct collector c;
static struct programs programs;
static struct job_in_kernel {
	bool counted; /* its totals were there before the start */
	bool found; /* the scan came after its totals were made */
	uint64_t used_ns; /* of its cgroup */
	uint64_t living_ns; /* of used_ns: in live threads */
	uint64_t ended_ns; /* of used_ns: in its totals */
	uint64_t runs_ns; /* between two looks */
	uint64_t given_ns;
	uint64_t kept_before_ns; /* from the journal */
	uint64_t kept_again_ns;
	bool totals;
} jobs[JOBS];
static int job_count, scans, walks;
static bool replaced, blind;
static uint64_t walk_ns; /* CPU time of a walk */

static struct job_in_kernel *of_key(uint64_t key)
{
	assert_in_range(key, FIRST_KEY, FIRST_KEY + JOBS - 1);
	return &jobs[key - FIRST_KEY];
}

/* The following replaces the journal, the cgroups, and the kernel and its programs. */

static void fill_kept(int i, struct journal_message *kept)
{
	struct control_message *message = &kept->message;

	memset(kept, 0, sizeof(*kept));
	message->kind = CONTROL_OPEN;
	message->job_id = i + 1;
	message->step_id = 0;
	message->sent_ns = i + 1;
	snprintf(message->node, sizeof(message->node), "n");
	kept->cgroup.job_id = FIRST_KEY + i;
	kept->registered_ns = 1;
	kept->before_cpu_ns = jobs[i].kept_before_ns;
	snprintf(kept->cgroup.job_path, sizeof(kept->cgroup.job_path), "%d", i);
}

void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data)
{
	static struct journal_message kept;

	(void)run_fd;
	(void)bad;
	/* The later jobs first: their keys are in no order. */
	for (int i = job_count - 1; i >= 0; i--) {
		fill_kept(i, &kept);
		take(&kept, data);
	}
}

int journal_read_closed(int run_fd, struct jobs *closed, struct error *err)
{
	(void)run_fd;
	(void)closed;
	(void)err;
	return 0;
}

void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data)
{
	(void)run_fd;
	(void)take;
	(void)bad;
	(void)data;
}

int journal_write(int run_fd, const struct journal_message *kept, struct error *err)
{
	(void)run_fd;
	(void)err;
	of_key(kept->cgroup.job_id)->kept_again_ns = kept->before_cpu_ns;
	return 0;
}

enum live handover_take(int run_fd, struct job *job, struct error *err)
{
	(void)run_fd;
	(void)job;
	(void)err;
	return LIVE_TAKEN;
}

void handover_clear(int run_fd)
{
	(void)run_fd;
}

int cgroup_cpus(const struct cgroup_layout *layout, const char *path, char *list, size_t size)
{
	(void)layout;
	(void)path;
	snprintf(list, size, "0");
	return 0;
}

int64_t cgroup_cpu_ns(const struct cgroup_layout *layout, const char *path)
{
	struct job_in_kernel *job = &jobs[atoi(path)];

	(void)layout;
	assert_true(job->found);
	/* Its threads are counted by now. */
	job->living_ns += job->runs_ns;
	job->used_ns += job->runs_ns;
	return job->used_ns;
}

const struct settings *programs__settings(const struct programs *p)
{
	static const struct settings settings;

	(void)p;
	return &settings;
}

uint32_t programs__steps_share(const struct programs *p, uint32_t uid)
{
	(void)p;
	(void)uid;
	return JOB_STEPS_MAX;
}

int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err)
{
	(void)p;
	(void)job;
	(void)step;
	(void)err;
	return 0;
}

int programs__add_job(struct programs *p, uint64_t key, uint32_t uid, uint64_t cgroup, bool *existed, struct error *err)
{
	(void)p;
	(void)uid;
	(void)cgroup;
	(void)err;
	*existed = of_key(key)->counted;
	of_key(key)->totals = true;
	return 0;
}

void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data)
{
	(void)p;
	for (int i = 0; i < job_count; i++)
		assert_true(known(FIRST_KEY + i, data));
}

bool programs__replaced(const struct programs *p, const char **why)
{
	(void)p;
	*why = "";
	return replaced;
}

int programs__scan(struct programs *p, struct error *err)
{
	(void)p;
	(void)err;
	scans++;
	for (int i = 0; i < job_count; i++)
		jobs[i].found = jobs[i].totals;
	return 0;
}

int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data)
{
	(void)p;
	assert_int_equal(job, 0);
	walks++;
	set_clock_add(walk_ns);
	if (blind)
		return -1;
	/* Each job has two threads. Some threads are of an unknown job. */
	for (int i = 0; i < 2 * job_count; i++) {
		struct job_in_kernel *of = &jobs[i / 2];
		struct living living = { .job = FIRST_KEY + i / 2 };

		living.use[USE_CPU] = i % 2 ? of->living_ns - of->living_ns / 3 : of->living_ns / 3;
		take(&living, data);
	}
	take(&(struct living){ .job = FIRST_KEY - 1, .use[USE_CPU] = 7 }, data);
	take(&(struct living){ .job = FIRST_KEY + JOBS, .use[USE_CPU] = 7 }, data);
	return 0;
}

/* Replaces the reading of totals. A compiler may call the programs' own function directly. */
int bpf_map_lookup_elem(int fd, const void *key, void *value);

int bpf_map_lookup_elem(int fd, const void *key, void *value)
{
	struct totals *totals = value;

	(void)fd;
	memset(totals, 0, sizeof(*totals));
	totals->use[USE_CPU] = of_key(*(const uint64_t *)key)->ended_ns;
	return 0;
}

int programs__give(struct programs *p, uint64_t key, const struct given *given, struct error *err)
{
	(void)p;
	(void)err;
	assert_int_equal(of_key(key)->given_ns, 0);
	of_key(key)->given_ns = given->cpu_ns;
	return 0;
}

/* ---- */

/* Each job has used a different time. This part of it was not counted. */
static uint64_t uncounted_ns(int i)
{
	return (i + 1) * MS;
}

static void start(int count, bool counted, uint64_t runs_ns)
{
	memset(&c, 0, sizeof(c));
	c.programs = &programs;
	memset(jobs, 0, sizeof(jobs));
	job_count = count;
	scans = walks = 0;
	for (int i = 0; i < count; i++) {
		jobs[i].counted = counted;
		jobs[i].living_ns = counted ? 30 * MS : 0;
		jobs[i].ended_ns = counted ? 5 * MS : 0;
		jobs[i].kept_before_ns = counted ? 9 * MS : 0;
		jobs[i].runs_ns = runs_ns;
		jobs[i].used_ns = jobs[i].living_ns + jobs[i].ended_ns + jobs[i].kept_before_ns + uncounted_ns(i);
	}
	resume_all(&c);
	assert_int_equal(c.jobs.count, count);
	assert_false(c.starting);
}

static int end(void **state)
{
	(void)state;
	while (c.jobs.first)
		jobs__remove(&c.jobs, c.jobs.first);
	replaced = blind = false;
	walk_ns = 0;
	return 0;
}

static struct job *find(int i)
{
	struct job *job = jobs__find_key(&c.jobs, FIRST_KEY + i);

	assert_non_null(job);
	return job;
}

static void what_was_counting_is_scanned_once(void **state)
{
	start(0, true, 0);
	assert_int_equal(scans, 0);
	for (int count = 1; count <= JOBS; count += JOBS - 1) {
		start(count, true, 0);
		assert_int_equal(scans, 1);
		assert_int_equal(walks, 0);
		for (int i = 0; i < count; i++)
			assert_int_equal(find(i)->counting.before_cpu_ns, 9 * MS);
		end(state);
	}
}

static void jobs_that_are_counted_anew_are_looked_at_together(void **state)
{
	for (int count = 1; count <= JOBS; count += JOBS - 1) {
		start(count, false, 0);
		assert_int_equal(scans, 1);
		assert_int_equal(walks, 1);
		for (int i = 0; i < count; i++) {
			assert_int_equal(find(i)->counting.before_cpu_ns, uncounted_ns(i));
			assert_int_equal(find(i)->counting.before, BEFORE_FOUND);
			assert_int_equal(jobs[i].kept_again_ns, uncounted_ns(i));
			assert_int_equal(jobs[i].given_ns, 0);
		}
		end(state);
	}
}

static void jobs_that_run_meanwhile_are_looked_at_a_few_times_and_none_gets_too_much(void **state)
{
	(void)state;
	start(JOBS, false, 2 * MS);
	assert_int_equal(scans, 1);
	assert_int_equal(walks, WALKS_MAX);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(find(i)->counting.before_cpu_ns, uncounted_ns(i));
}

static void each_job_is_given_what_was_not_counted_while_programs_were_replaced(void **state)
{
	replaced = true;
	for (int count = 1; count <= JOBS; count += JOBS - 1) {
		replaced = true;
		start(count, true, 0);
		assert_int_equal(scans, 1);
		assert_int_equal(walks, 1);
		for (int i = 0; i < count; i++) {
			assert_int_equal(jobs[i].given_ns, uncounted_ns(i));
			assert_int_equal(find(i)->counting.before_cpu_ns, 9 * MS);
		}
		end(state);
	}
}

static void where_no_live_thread_can_be_looked_at_each_job_says_so(void **state)
{
	(void)state;
	blind = true;
	start(JOBS, false, 0);
	for (int i = 0; i < JOBS; i++) {
		assert_true(find(i)->counting.cpu_unknown);
		assert_int_equal(find(i)->counting.before_cpu_ns, 0);
	}
}

static bool begin(int i)
{
	find(i)->counting.before = BEFORE_ROUGH;
	find(i)->counting.before_base_ns = 0;
	return before_find(&c, find(i));
}

static void jobs_that_begin_where_a_walk_is_short_are_looked_at_at_once(void **state)
{
	(void)state;
	start(JOBS, true, 0);
	for (int i = 0; i < 20; i++) {
		assert_true(begin(i));
		assert_int_equal(walks, i + 1);
		assert_int_equal(find(i)->counting.before_cpu_ns, 9 * MS + uncounted_ns(i));
	}
	assert_false(follow_tick(&c, false));
	assert_int_equal(walks, 20);
}

static void where_a_walk_is_long_jobs_that_begin_wait_for_one_another(void **state)
{
	uint64_t began;

	(void)state;
	start(JOBS, true, 0);
	walk_ns = 60 * MS;
	assert_true(begin(0));
	assert_int_equal(walks, 1);
	began = set_clock_ns;
	for (int i = 1; i < JOBS; i++)
		assert_false(begin(i));
	assert_true(follow_tick(&c, false)); /* stintd comes back soon */
	assert_int_equal(walks, 1);
	while (follow_tick(&c, false))
		set_clock_add(MS);
	assert_int_equal(walks, 2);
	/* ten times what a walk takes, less the burst; and the walk itself */
	assert_int_equal(set_clock_ns - began, (600 - 200 + 60) * MS);
	for (int i = 1; i < JOBS; i++) {
		assert_int_equal(find(i)->counting.before, BEFORE_FOUND);
		assert_int_equal(find(i)->counting.before_cpu_ns, 9 * MS + uncounted_ns(i));
		assert_int_equal(jobs[i].kept_again_ns, find(i)->counting.before_cpu_ns);
	}
	assert_false(follow_tick(&c, false));
	assert_int_equal(walks, 2);
	/* if nothing is known about a job, it is found at once */
	find(7)->counting.before = BEFORE_UNKNOWN;
	assert_true(before_find(&c, find(7)));
	assert_int_equal(walks, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_was_counting_is_scanned_once, end),
		cmocka_unit_test_teardown(jobs_that_are_counted_anew_are_looked_at_together, end),
		cmocka_unit_test_teardown(jobs_that_run_meanwhile_are_looked_at_a_few_times_and_none_gets_too_much,
					  end),
		cmocka_unit_test_teardown(each_job_is_given_what_was_not_counted_while_programs_were_replaced, end),
		cmocka_unit_test_teardown(where_no_live_thread_can_be_looked_at_each_job_says_so, end),
		cmocka_unit_test_teardown(jobs_that_begin_where_a_walk_is_short_are_looked_at_at_once, end),
		cmocka_unit_test_teardown(where_a_walk_is_long_jobs_that_begin_wait_for_one_another, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
