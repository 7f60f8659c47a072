/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a job's threads are searched for in its cgroup when the job becomes known, again while there are new
 * ones.
 * All threads of the node are searched only if that does not find all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/host/cgroup.h"
#include "collector/kernel/programs_internal.h"

#define MANY 64 /* processes of a cgroup that are looked at one by one */

static const struct cgroup_job cgroup;
static pid_t listed[2 * MANY]; /* what is in the cgroup */
static int listed_count;
static int looks[1000]; /* at each process */
static int all_looks;
static pid_t forks; /* a process that has a child when it is looked at; 0: none */
static pid_t early; /* a process that is still being created at the first look; 0: none */
static bool old_kernel;

/* The next three replace the kernel and its programs. */

int cgroup_processes(const struct cgroup_layout *layout, const struct cgroup_job *job, pid_t *pids, int max)
{
	(void)layout;
	assert_ptr_equal(job, &cgroup);
	if (listed_count > max)
		return -1;
	memcpy(pids, listed, listed_count * sizeof(*pids));
	return listed_count;
}

int programs__scan_process(struct programs *p, pid_t pid, bool *was_early, struct error *err)
{
	(void)p;
	if (old_kernel)
		return error_set(err, "Invalid argument");
	looks[pid]++;
	*was_early = pid == early && looks[pid] == 1;
	if (pid == forks) {
		forks = 0;
		listed[listed_count++] = pid + 1;
	}
	return 0;
}

int programs__scan(struct programs *p, struct error *err)
{
	(void)p;
	(void)err;
	all_looks++;
	return 0;
}

static void in_the_cgroup(int count)
{
	for (int i = 0; i < count; i++)
		listed[listed_count++] = i + 1;
}

static int set_up(void **state)
{
	(void)state;
	memset(looks, 0, sizeof(looks));
	listed_count = all_looks = 0;
	forks = early = 0;
	old_kernel = false;
	return 0;
}

static void scan(void)
{
	struct error err;

	assert_int_equal(programs__scan_cgroup(NULL, NULL, &cgroup, &err), 0);
}

static void each_process_is_looked_at_once(void **state)
{
	(void)state;
	in_the_cgroup(3);
	scan();
	assert_int_equal(all_looks, 0);
	for (int pid = 1; pid <= 3; pid++)
		assert_int_equal(looks[pid], 1);
}

static void an_empty_cgroup_needs_no_look(void **state)
{
	(void)state;
	scan();
	assert_int_equal(all_looks, 0);
}

static void a_child_of_before_its_parent_was_known_is_found(void **state)
{
	(void)state;
	in_the_cgroup(3);
	forks = 3;
	scan();
	assert_int_equal(looks[4], 1);
	assert_int_equal(all_looks, 0);
}

static void one_that_is_being_made_is_looked_at_again(void **state)
{
	(void)state;
	in_the_cgroup(2);
	early = 2;
	scan();
	assert_int_equal(looks[1], 1);
	assert_int_equal(looks[2], 2);
	assert_int_equal(all_looks, 0);
}

static void of_many_and_on_an_old_kernel_all_threads_are_looked_at(void **state)
{
	(void)state;
	in_the_cgroup(MANY);
	scan();
	assert_int_equal(all_looks, 0);
	listed_count = 0;
	in_the_cgroup(MANY + 1);
	scan();
	assert_int_equal(all_looks, 1);
	listed_count = 1;
	old_kernel = true;
	scan();
	assert_int_equal(all_looks, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_process_is_looked_at_once, set_up),
		cmocka_unit_test_setup(an_empty_cgroup_needs_no_look, set_up),
		cmocka_unit_test_setup(a_child_of_before_its_parent_was_known_is_found, set_up),
		cmocka_unit_test_setup(one_that_is_being_made_is_looked_at_again, set_up),
		cmocka_unit_test_setup(of_many_and_on_an_old_kernel_all_threads_are_looked_at, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
