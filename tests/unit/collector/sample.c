/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that steps' memory is read like their job's, and that a look has a limited cost for any number of steps.
 * For any number of threads, memory is read each second, and queries are answered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/host/loop.h"
#include "collector/sample.h"
#include "tests/unit/set_clock.h"

#define MS 1000000ull
#define WALK_PIECES 4 /* of a walk over all threads */

static char root[64];
static struct collector *c;
static unsigned int walks, walked; /* walks, and pieces of walks */
static unsigned int pieces; /* of all work */
static uint64_t walk_ns; /* CPU time of a walk */

static unsigned int read_so_far(void)
{
	unsigned int count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		count += job->memory.used_bytes >= 0;
		for (uint32_t i = 0; i < job->step_count; i++)
			count += job->steps[i].memory.used_bytes >= 0;
	}
	return count;
}

/*
 * Replaces the event loop's, which can sleep after each piece.
 * A piece reads at most the files of one cgroup, or a piece of a walk.
 */
void loop_in_pieces(struct loop *loop, loop_piece *piece)
{
	bool more = true;

	(void)loop;
	for (; more; pieces++) {
		unsigned int before = read_so_far(), walked_before = walked;

		more = piece(c);
		assert_in_range(read_so_far(), before, before + 1);
		assert_in_range(walked, walked_before, walked_before + 1);
	}
}

/* These replace the kernel programs' own: each job's slot is its key. */
bool programs__loaded(const struct programs *p, enum program program)
{
	(void)p;
	return program == PROGRAM_sample_tasks;
}

int programs__totals(struct programs *p, uint64_t id, struct totals *totals)
{
	(void)p;
	memset(totals, 0, sizeof(*totals));
	totals->slot = id;
	totals->use[USE_CPU] = 1000;
	return 0;
}

int programs__samples_begin(struct programs *p, struct error *err)
{
	(void)p;
	(void)err;
	walks++;
	return 0;
}

int programs__samples_go_on(int walk, struct error *err)
{
	(void)err;
	assert_int_equal(walk, 0);
	if (++walked % WALK_PIECES)
		return 1;
	set_clock_add(walk_ns);
	return 0;
}

int programs__sample(struct programs *p, unsigned int slot, struct sample *sample)
{
	(void)p;
	memset(sample, 0, sizeof(*sample));
	sample->job = slot;
	sample->threads = 5;
	sample->use[USE_CPU] = walks;
	return 0;
}

int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err)
{
	(void)p;
	(void)use;
	(void)err;
	return 0;
}

int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err)
{
	(void)p;
	(void)use;
	(void)uid;
	(void)jobs;
	(void)err;
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/stint-sample-XXXXXX");
	c = calloc(1, sizeof(*c));
	if (!c || !mkdtemp(root))
		return -1;
	c->conf.mode = CONF_MODE_TIMELINE;
	walks = walked = 0;
	walk_ns = 0;
	c->layout.count = 1;
	strcpy(c->layout.mounts[0].controllers, "memory");
	strcpy(c->layout.mounts[0].path, root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	while (c->jobs.first)
		jobs__remove(&c->jobs, c->jobs.first);
	free(c);
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static struct job *job_of(uint32_t id)
{
	static struct control_message message;
	struct job *job;

	message.job_id = id;
	strcpy(message.node, "n1");
	job = jobs__add(&c->jobs, &message);
	assert_non_null(job);
	job->key = id;
	snprintf(job->cgroup.job_path, sizeof(job->cgroup.job_path), "/job_%u", id);
	return job;
}

static void holds(const struct job *job, uint32_t id, int64_t bytes)
{
	char command[sizeof(job->cgroup.job_path) + 256];

	snprintf(command, sizeof(command), "d=%s%s/step_%u; mkdir -p $d && echo total_rss %lld >$d/memory.stat", root,
		 job->cgroup.job_path, id, (long long)bytes);
	assert_int_equal(system(command), 0);
}

static struct job_step *step_of(struct job *job, uint32_t id, int64_t bytes)
{
	struct job_step *step = job__step(job, id);
	char name[16];

	snprintf(name, sizeof(name), "step_%u", id);
	step->directory = strdup(name);
	holds(job, id, bytes);
	return step;
}

static void the_highest_that_a_step_held_is_its_peak_until_it_ends(void **state)
{
	struct job *job = job_of(7);
	struct job_step *step;

	(void)state;
	step_of(job, 0, 100);
	step_of(job, 1, 5);
	assert_int_equal(job->steps[0].memory.used_bytes, -1);
	sample_steps(c);
	holds(job, 0, 400);
	sample_steps(c);
	holds(job, 0, 300);
	sample_steps(c);
	step = &job->steps[0];
	assert_int_equal(step->memory.used_bytes, 400);
	assert_int_equal(job->steps[1].memory.used_bytes, 5);
	step->end_ns = 1;
	holds(job, 0, 500);
	sample_steps(c);
	assert_int_equal(step->memory.used_bytes, 400);
	/* another attempt has the same path: no data of it */
	job_enter(job, JOB_CLOSES);
	holds(job, 1, 500);
	sample_steps(c);
	assert_int_equal(job->steps[1].memory.used_bytes, 5);
	assert_false(job->steps_left_out);
}

static unsigned int seen(const struct job *job)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < job->step_count; i++)
		count += job->steps[i].memory.used_bytes == 9;
	return count;
}

static void of_many_steps_each_has_its_turn(void **state)
{
	struct job *few = job_of(1), *many = job_of(2);

	(void)state;
	sample_steps(c); /* steps of no job */
	for (uint32_t i = 0; i < SAMPLE_STEPS_MAX; i++)
		step_of(many, i, 9);
	sample_steps(c);
	assert_int_equal(seen(many), SAMPLE_STEPS_MAX);
	assert_false(many->steps_left_out);
	for (uint32_t i = 0; i < SAMPLE_STEPS_MAX; i++)
		many->steps[i].memory.used_bytes = -1;
	for (uint32_t i = 0; i < SAMPLE_STEPS_MAX; i++)
		step_of(few, i, 9);
	step_of(many, SAMPLE_STEPS_MAX, 9);
	c->steps_turn = 3;
	for (unsigned int look = 1; look <= 3; look++) {
		unsigned int expected = look * SAMPLE_STEPS_MAX, all = 2 * SAMPLE_STEPS_MAX + 1;

		sample_steps(c);
		assert_int_equal(seen(few) + seen(many), expected < all ? expected : all);
	}
	assert_true(few->steps_left_out && many->steps_left_out);
}

static void job_holds(const struct job *job, int64_t bytes)
{
	char command[sizeof(job->cgroup.job_path) + 256];

	snprintf(command, sizeof(command), "d=%s%s; mkdir -p $d && echo total_rss %lld >$d/memory.stat", root,
		 job->cgroup.job_path, (long long)bytes);
	assert_int_equal(system(command), 0);
}

static struct job *sampled_job(uint32_t id)
{
	struct job *job = job_of(id);

	job_holds(job, 100);
	series_begin(&job->series, set_clock_ns);
	return job;
}

/* A little less than a second: two of these are less than the pause after a walk of 40 ms. */
static void a_second_later(void)
{
	set_clock_add(990 * MS);
	sample_jobs(c);
}

static void while_a_walk_is_too_early_memory_is_read_and_its_peak_is_in_the_next_point(void **state)
{
	struct job *job = sampled_job(3);

	(void)state;
	walk_ns = 40 * MS;
	sample_jobs(c);
	assert_int_equal(walks, 1);
	assert_int_equal(c->walks.after_ns, set_clock_ns + 200 * 10 * MS); /* the mean of four walks */
	assert_int_equal(c->readings.cost_ns, 0); /* the cost of readings is without the walk */
	job_holds(job, 700);
	a_second_later();
	job_holds(job, 200);
	a_second_later();
	assert_int_equal(walks, 1);
	assert_int_equal(job->memory.used_bytes, 700);
	assert_int_equal(job->series.count, 1);
	assert_int_equal(job->series.left_out_most, 2);
	a_second_later();
	assert_int_equal(walks, 2);
	assert_int_equal(job->series.count, 2);
	assert_int_equal(job->series.points[0].level[SERIES_MEMORY_USED], 100);
	assert_int_equal(job->series.points[1].level[SERIES_MEMORY_USED], 700);
	assert_int_equal(job->series.points[1].level[SERIES_THREADS], 5);
	assert_int_equal(job->series.total[USE_CPU], 1002);
	assert_int_equal(job->series.left_out, 0);
	assert_int_equal(job->series.left_out_most, 2);
}

static void a_query_that_would_wait_for_long_is_answered_by_the_last_walk(void **state)
{
	struct job *job = sampled_job(3);

	(void)state;
	assert_true(sample_now(c));
	assert_true(job->so_far_known && !job->so_far_old);
	assert_false(sample_now(c)); /* the next walk is soon */
	c->query_after_ns = 0;
	walk_ns = 20 * MS;
	assert_true(sample_now(c));
	assert_true(!job->so_far_old && walks == 2);
	assert_true(sample_now(c));
	assert_true(job->so_far_known && job->so_far_old && walks == 2);
	assert_int_equal(job->so_far[USE_CPU], 1002);
	/* a sample for the series walks, too */
	sample_jobs(c);
	assert_true(sample_now(c));
	assert_true(job->so_far_old && walks == 3);
	assert_int_equal(job->so_far[USE_CPU], 1003);
	c->query_after_ns = 0;
	assert_true(sample_now(c));
	assert_true(!job->so_far_old && walks == 4);
}

/* The loop can sleep after each cgroup, and within the walk. So many jobs occupy a processor no longer than few. */
static void a_sample_is_taken_in_pieces(void **state)
{
	(void)state;
	for (uint32_t id = 1; id <= 3; id++) {
		struct job *job = sampled_job(id);

		step_of(job, 0, 100);
		step_of(job, 1, 100);
	}
	pieces = 0;
	sample_jobs(c);
	assert_int_equal(read_so_far(), 3 + 6);
	/* each cgroup, one that finds no further job or step, one for the shares, one that begins the walk */
	assert_in_range(pieces, 3 + 6 + 1 + 1 + WALK_PIECES, 3 + 1 + 6 + 1 + 1 + 1 + WALK_PIECES);
	assert_int_equal(walked, WALK_PIECES);
	pieces = 0;
	assert_true(sample_now(c));
	assert_in_range(pieces, 3 + 6 + 1 + WALK_PIECES, 3 + 1 + 6 + 1 + 1 + WALK_PIECES);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_highest_that_a_step_held_is_its_peak_until_it_ends),
		TEST(of_many_steps_each_has_its_turn),
		TEST(while_a_walk_is_too_early_memory_is_read_and_its_peak_is_in_the_next_point),
		TEST(a_sample_is_taken_in_pieces),
		TEST(a_query_that_would_wait_for_long_is_answered_by_the_last_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
