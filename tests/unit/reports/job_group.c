/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests groups of jobs: what was added can be subtracted, and a group survives JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/json/field.h"
#include "reports/site/job_group.h"
#include "reports/site/job_groups.h"

static const enum job_key by[JOB_KEYS_MAX] = { JOB_KEY_USER, JOB_KEY_JOB_NAME, JOB_KEY_COUNT };

/* A job with numbers of its own, some of them not known. */
static struct job_row row_of(unsigned int number)
{
	struct job_row row = { .id = number, .user = number % 2 ? "ada" : "bob", .name = number % 3 ? "align" : NULL };

	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		row.measure[i] = (number + i) % 5 ? (int64_t)number * 1000 + i : JOB_UNKNOWN;
	row.how = number % JOB_END_COUNT;
	row.verdict = number % (BOUND_UNKNOWN + 1);
	row.findings = UINT64_C(5) << number % 20;
	row.complete = number % 2;
	row.nodes_expected = 3;
	row.nodes_present = number % 4;
	row.cpu_efficiency_ppm = number % 7 ? number * 1000 : JOB_UNKNOWN;
	row.memory_efficiency_ppm = JOB_UNKNOWN;
	return row;
}

static void assert_same(const struct job_group *one, const struct job_group *other)
{
	struct json_object *a = job_group_json(one, by), *b = job_group_json(other, by);

	assert_string_equal(json_object_to_json_string(a), json_object_to_json_string(b));
	json_object_put(a);
	json_object_put(b);
}

static void what_was_added_is_taken_away(void **state)
{
	struct job_group all = { 0 }, first = { 0 }, second = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 200; i++) {
		struct job_row row = row_of(i);

		assert_int_equal(job_group_add(&all, &row, 1, NULL), 0);
		assert_int_equal(job_group_add(i < 120 ? &first : &second, &row, 1, NULL), 0);
	}
	assert_int_equal(job_group_merge(&first, &second, 1, NULL), 0);
	assert_same(&first, &all);
	assert_int_equal(job_group_merge(&first, &second, -1, NULL), 0);
	for (unsigned int i = 120; i < 200; i++) {
		struct job_row row = row_of(i);

		assert_int_equal(job_group_add(&all, &row, -1, NULL), 0);
	}
	assert_same(&first, &all);
	for (unsigned int i = 0; i < 120; i++) {
		struct job_row row = row_of(i);

		assert_int_equal(job_group_add(&all, &row, -1, NULL), 0);
	}
	assert_same(&all, &(struct job_group){ 0 });
	job_group_free(&all);
	job_group_free(&first);
	job_group_free(&second);
}

static void json_is_the_group(void **state)
{
	struct job_groups groups = { .by = { JOB_KEY_USER, JOB_KEY_JOB_NAME, JOB_KEY_COUNT } };

	(void)state;
	for (unsigned int i = 0; i < 50; i++) {
		struct job_row row = row_of(i);

		assert_int_equal(job_groups_add(&groups, &row, NULL), 0);
	}
	assert_int_equal(groups.count, 4);
	for (size_t i = 0; i < groups.count; i++) {
		struct json_object *json = job_group_json(groups.list[i], by);
		struct job_group read;

		assert_int_equal(job_group_parse(json, by, &read, NULL), 0);
		assert_same(&read, groups.list[i]);
		assert_ptr_equal(job_groups_find(&groups, &read), groups.list[i]);
		job_group_free(&read);
		json_object_put(json);
	}
	job_groups_free(&groups);
}

static void what_is_no_group_is_refused(void **state)
{
	static const char *const texts[] = {
		"{}",
		"{\"keys\":{}}",
		"{\"keys\":[],\"jobs\":1}",
		"{\"keys\":{},\"jobs\":1,\"bins\":{\"elapsed\":{\"x\":1}}}",
		"{\"keys\":{},\"jobs\":1,\"bins\":{\"elapsed\":{\"-1\":1}}}",
		"{\"keys\":{},\"jobs\":1,\"bins\":{\"elapsed\":{\"4\":0}}}",
		"{\"keys\":{},\"jobs\":1,\"bins\":{\"elapsed\":{\"9999999999\":1}}}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_object *json = field_parse(texts[i], strlen(texts[i]), "a line", json_type_object, NULL);
		struct job_group group;
		struct error err;

		assert_int_equal(job_group_parse(json, by, &group, &err), -1);
		job_group_free(&group);
		json_object_put(json);
	}
}

#define MANY (5 * JOB_GROUPS_MOST)

static void add_tool(struct job_groups *groups, const char *user, const char *name, int64_t cpu_ms)
{
	struct job_row_tool tool = { .name = (char *)(uintptr_t)name, .runs = 1, .failures = 0, .cpu_ms = cpu_ms, .wall_ms = 2 };
	struct job_row row = { .user = (char *)(uintptr_t)user, .tools = &tool, .tool_count = 1 };

	assert_int_equal(job_groups_add(groups, &row, NULL), 0);
}

static void fill(struct job_groups *groups)
{
	char name[32];

	add_tool(groups, "ada", "bwa", 1000000);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "made up %d", i);
		add_tool(groups, "bob", name, 10 + i % 7);
		if (i % 1000 == 0)
			add_tool(groups, "ada", "bwa", 3);
	}
	job_groups_sort(groups, JOB_FIGURE_COUNT, false);
}

/* Users name programs as they like. A page of all users must be made all the same. */
static void a_user_cannot_make_more_groups_than_memory_has(void **state)
{
	struct job_groups groups = { .by = { JOB_KEY_TOOL, JOB_KEY_COUNT, JOB_KEY_COUNT } }, again = groups;
	int64_t jobs = 0, runs = 0, cpu_ms = 0, expected = 1000000 + MANY / 1000 * 3;
	char name[32];
	bool more;

	(void)state;
	fill(&groups);
	fill(&again);
	assert_int_equal(groups.count, JOB_GROUPS_MOST + 1);
	assert_int_equal(again.count, groups.count);
	for (size_t i = 0; i < groups.count; i++) {
		assert_string_equal(groups.list[i]->keys[0], again.list[i]->keys[0]);
		assert_int_equal(groups.list[i]->tool_cpu_ms, again.list[i]->tool_cpu_ms);
		jobs += groups.list[i]->jobs;
		runs += groups.list[i]->tool_runs;
		cpu_ms += groups.list[i]->tool_cpu_ms;
	}
	for (int i = 0; i < MANY; i++)
		expected += 10 + i % 7;
	assert_int_equal(jobs, 1 + MANY + MANY / 1000);
	assert_int_equal(runs, jobs);
	assert_int_equal(cpu_ms, expected);
	assert_string_equal(groups.list[0]->keys[0], "bwa");
	assert_int_equal(groups.list[0]->tool_cpu_ms, 1000000 + MANY / 1000 * 3);
	/* who is left out is counted once, however often it comes */
	assert_int_equal(job_groups_left_out(&groups, &more), MANY + 1 - JOB_GROUPS_MOST);
	assert_false(more);
	assert_true(groups.folded.count > 0);
	snprintf(name, sizeof(name), "%.*s", (int)groups.folded.list[0].size - JOB_KEYS_MAX, (char *)groups.folded.list[0].key);
	add_tool(&groups, "bob", name, 1);
	assert_int_equal(job_groups_left_out(&groups, &more), MANY + 1 - JOB_GROUPS_MOST - 1);
	job_groups_free(&groups);
	job_groups_free(&again);
}

/* Groups of two keys keep the key that users cannot make up. There may be any number of users. */
static void what_is_added_up_keeps_its_other_key(void **state)
{
	struct job_groups groups = { .by = { JOB_KEY_TOOL, JOB_KEY_USER, JOB_KEY_COUNT } }, users = { .by = { JOB_KEY_USER, JOB_KEY_COUNT, JOB_KEY_COUNT } };
	struct job_group like = { .keys = { "(other tools)", "bob" } };
	char name[32];

	(void)state;
	fill(&groups);
	assert_int_equal(groups.count, JOB_GROUPS_MOST + 1);
	assert_int_equal(job_groups_find(&groups, &like)->jobs, MANY + 1 - JOB_GROUPS_MOST);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		add_tool(&users, name, "bwa", 1);
	}
	job_groups_sort(&users, JOB_FIGURE_COUNT, false);
	assert_int_equal(users.count, MANY);
	job_groups_free(&groups);
	job_groups_free(&users);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_taken_away),
		cmocka_unit_test(json_is_the_group),
		cmocka_unit_test(what_is_no_group_is_refused),
		cmocka_unit_test(a_user_cannot_make_more_groups_than_memory_has),
		cmocka_unit_test(what_is_added_up_keeps_its_other_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
