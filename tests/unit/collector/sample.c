/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps' memory is looked at as their job's is, and however many there are, a look costs no more than some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/sample.h"

static char root[64];
static struct collector *c;

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/stint-sample-XXXXXX");
	c = calloc(1, sizeof(*c));
	if (!c || !mkdtemp(root))
		return -1;
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

/* Sets what the step's cgroup has charged from now on. */
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
	/* nothing of another attempt, which has the same path */
	job->closing = true;
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
	sample_steps(c); /* of none */
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_highest_that_a_step_held_is_its_peak_until_it_ends),
		TEST(of_many_steps_each_has_its_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
