/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the node record and Slurm's answer: unknown values stay unknown; bounds and refusals. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/records/sums.h"
#include "tests/unit/reports/record_case.h"

#define HEAD "{'stint_record': 1, 'identity': {'job_id': 7, 'attempt': 1, 'node': 'n1'}"

static char *written(const struct record *record)
{
	size_t len;
	char *text = record_write(record, &len);

	assert_non_null(text);
	assert_int_equal(strlen(text), len);
	return text;
}

static struct record *again(const struct record *record)
{
	cleanup_free char *text = written(record);
	struct record_identity identity;
	struct error err = { "" };
	struct record *read = record_parse(text, strlen(text), "r", &identity, &err);

	if (!read)
		fail_msg("%s in: %s", err.text, text);
	return read;
}

static void assert_same_text(const struct record *one, const struct record *other)
{
	cleanup_free char *text = written(one), *other_text = written(other);

	assert_string_equal(text, other_text);
}

/* ---- what is not known ---- */

static void assert_unknown(const struct record *record)
{
	int64_t value = 42;

	assert_true(record->known);
	assert_false(record->collector.known);
	assert_int_equal(record->collector.closed_unix_ns, REPORT_UNKNOWN);
	assert_null(record->work_dir);
	assert_int_equal(record->totals.cpu_ns, REPORT_UNKNOWN);
	assert_int_equal(record->totals.use.cpu_ns, REPORT_UNKNOWN);
	assert_int_equal(record_wait_of(&record->pressure.waits, WAIT_OTHER)->waits, REPORT_UNKNOWN);
	assert_int_equal(record->clock_set_ns, 0);
	assert_false(record->complete);
	assert_false(record->timeline.known);
	assert_int_equal(record->timeline.count, 0);
	assert_false(record->allocated.counted_cores.known);
	assert_false(record->chosen);
	assert_null(record_tool_at(record, 0));
	assert_null(record_tool_at(record, -1));
	assert_false(take_count(record->exit_status, &value));
	assert_int_equal(value, 42);
}

static void what_is_not_there_is_not_known(void **state)
{
	cleanup_record struct record *made = record_new(NULL), *read = case_record_text("{}");

	(void)state;
	assert_unknown(made);
	assert_unknown(read);
	assert_null(made->identity.node);
	assert_string_equal(read->identity.node, "n1");
}

static void what_is_of_another_type_is_not_known(void **state)
{
	cleanup_record struct record *record = case_record_text(
		"{'collector': [], 'totals': 7, 'exit_status': -1, 'cgroup_id': '5', 'work_dir': 7, 'complete': 1, 'gaps': {}, 'lost': [],"
		" 'timeline': [null, 3, {'tool': 0}], 'tools': [{'name': 'sh', 'new': [{}]}], 'new': {'a': [1]}}");

	(void)state;
	assert_int_equal(record->timeline.count, 3);
	assert_false(record->timeline.items[0].known);
	assert_int_equal(record->timeline.items[1].tool, REPORT_UNKNOWN);
	assert_ptr_equal(record_tool_at(record, record->timeline.items[2].tool), &record->tools.items[0]);
	assert_null(record_tool_at(record, 1));
	assert_false(record->collector.known);
	assert_false(record->totals.known);
	assert_int_equal(record->totals.cpu_ns, REPORT_UNKNOWN);
	assert_int_equal(record->exit_status, REPORT_UNKNOWN);
	assert_null(record->work_dir);
	assert_false(record->complete);
	assert_int_equal(record->cgroup_id, REPORT_UNKNOWN);
	assert_false(record->gaps.known);
	assert_false(record->lost.known);
}

/* ---- sums that are left out ---- */

#define SUMMED(rest) rest "'read_bytes': 7, 'write_bytes': null, 'file_io_ns': -1, 'lock_ns': 'x'"

/* Returns a record whose objects say that their writer knew @more more sums than this stint. */
static struct record *with_rest(int more)
{
	cleanup_free char *text = NULL;

	assert_true(asprintf(&text,
			     "{'totals': {" SUMMED("'rest': %d, ") ", 'processes': 3}, 'tools': [{" SUMMED("'rest': %d, ") ", 'name': 'sh'}],"
			     " 'timeline': [{" SUMMED("'rest': %d, ") ", 'tool': 0}], 'steps': [{'id': '0', 'totals': {" SUMMED("") "}}],"
			     " 'pressure': {'waits': {'rest': %d, 'network': {'some_ns': 5, 'waits': 2}, 'pipe': null, 'lock': 7}}}",
			     SUM_PROCESSES + more, SUM_PROCESSES + more, SUMS_OF_ENTRY + more, WAIT_KINDS + more) > 0);
	return case_record_text(text);
}

/* @left_out: the value of a sum that was left out */
static void assert_sums(const struct record_entry_use *use, int64_t left_out)
{
	assert_int_equal(use->read_bytes, 7);
	assert_int_equal(use->write_bytes, REPORT_UNKNOWN);
	assert_int_equal(use->file_io_ns, REPORT_UNKNOWN);
	assert_int_equal(use->lock_ns, REPORT_UNKNOWN);
	assert_int_equal(use->cpu_ns, left_out);
	assert_int_equal(use->sleep_ns, left_out);
}

static void assert_all_sums(const struct record *record, int64_t left_out)
{
	const struct record_waits *waits = &record->pressure.waits;

	/* the sums of an entry are the first of all */
	assert_sums((const struct record_entry_use *)&record->totals.use, left_out);
	assert_sums((const struct record_entry_use *)&record->tools.items[0].use, left_out);
	assert_sums(&record->timeline.items[0].entry_use, left_out);
	assert_sums((const struct record_entry_use *)&record->steps.items[0].totals.use, REPORT_UNKNOWN);
	assert_int_equal(record->totals.unix_tx_ops, left_out);
	assert_int_equal(record->totals.processes, 3);
	assert_int_equal(record->totals.oom_kills, REPORT_UNKNOWN);
	assert_int_equal(record->tools.items[0].runs, REPORT_UNKNOWN);
	assert_int_equal(record->timeline.items[0].wall_ns, REPORT_UNKNOWN);
	assert_int_equal(waits->network.some_ns, 5);
	assert_int_equal(waits->network.full_ns, REPORT_UNKNOWN);
	assert_int_equal(record_wait_of(waits, WAIT_NETWORK)->waits, 2);
	assert_int_equal(waits->pipe.waits, REPORT_UNKNOWN);
	assert_int_equal(waits->lock.waits, REPORT_UNKNOWN);
	assert_int_equal(waits->child.waits, left_out);
	assert_int_equal(waits->child.some_ns, left_out);
}

static void what_was_left_out_is_zero_only_if_the_writer_counts_the_same(void **state)
{
	static const struct {
		int more;
		int64_t left_out;
	} rests[] = { { 0, 0 }, { 1, REPORT_UNKNOWN }, { -1, REPORT_UNKNOWN } };

	(void)state;
	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		cleanup_record struct record *record = with_rest(rests[i].more), *read = again(record), *copy = record_copy(record);

		assert_all_sums(record, rests[i].left_out);
		assert_all_sums(read, rests[i].left_out);
		assert_all_sums(copy, rests[i].left_out);
		assert_same_text(read, record);
	}
}

static void zeros_are_left_out_when_written(void **state)
{
	cleanup_record struct record *record = with_rest(0);
	cleanup_free char *text = written(record);

	(void)state;
	assert_null(strstr(text, "\"cpu_ns\":0"));
	assert_non_null(strstr(text, "\"write_bytes\":null"));
	assert_non_null(strstr(text, "\"pipe\":null"));
	assert_non_null(strstr(text, "\"read_bytes\":7"));
}

/* ---- written and copied ---- */

static void a_record_that_was_written_and_read_is_the_same(void **state)
{
	static const char *const names[] = { "record-one.json", "record-two-n1.json", "record-two-n2.json" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup_json struct json_object *json = load(names[i]);
		cleanup_record struct record *record = record_of(json), *read = again(record);
		cleanup_free char *text = written(record);

		assert_same_text(read, record);
		assert_null(strchr(text, '\n'));
		assert_int_equal(read->timeline.count, record->timeline.count);
		assert_int_equal(read->series.columns.cpu_ns.count, record->series.columns.cpu_ns.count);
	}
}

static void hidden_members_are_not_written(void **state)
{
	cleanup_record struct record *record = case_record_text(
		"{'timeline': [{'judged': true}], 'chosen': true, 'allocated': {'counted_cores': {'count': 3}}, 'slurm_job': {'workflow': {'engine': 'x'}}}");
	cleanup_free char *text = NULL;

	(void)state;
	assert_false(record->timeline.items[0].judged);
	assert_false(record->chosen);
	assert_false(record->allocated.counted_cores.known);
	assert_false(record->slurm_job.workflow.known);
	record->timeline.items[0].judged = record->chosen = true;
	record->allocated.counted_cores.known = true;
	record->allocated.counted_cores.count = 3;
	text = written(record);
	assert_null(strstr(text, "judged"));
	assert_null(strstr(text, "chosen"));
	assert_null(strstr(text, "counted_cores"));
}

static void a_copy_needs_nothing_of_its_original(void **state)
{
	cleanup_json struct json_object *json = load("record-one.json");
	struct record *record = record_of(json);
	cleanup_free char *text = NULL, *copied = NULL;
	cleanup_record struct record *copy = NULL;

	(void)state;
	record->timeline.items[0].judged = record->chosen = true;
	record->clock_set_ns = -3;
	record_add_gap(record, "some", "because");
	text = written(record);
	copy = record_copy(record);
	memset((char *)record->timeline.items, 0xee, record->timeline.count * sizeof(*record->timeline.items));
	record_free(record);
	copied = written(copy);
	assert_string_equal(copied, text);
	assert_true(copy->chosen);
	assert_true(copy->timeline.items[0].judged);
	assert_false(copy->timeline.items[1].judged);
	record_add_gap(copy, "other", "as well");
	assert_string_equal(copy->gaps.items[copy->gaps.count - 1].name, "other");
}

static void a_shared_record_lives_until_its_last_owner_goes(void **state)
{
	struct record *record = case_record_text("{}");

	(void)state;
	record_free(record_share(record));
	assert_string_equal(record->identity.node, "n1");
	record_free(record);
	record_free(NULL);
}

static void gaps_are_added_to_those_that_were_read(void **state)
{
	cleanup_record struct record *record = case_record_text("{'gaps': [{'name': 'a', 'reason': 'b'}]}");
	char name[] = "later", character[2048];

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(character); i += 2)
		memcpy(character + i, "\u00e9", sizeof("\u00e9"));
	record_add_gapf(record, name, "%d: %s", 12, character);
	name[0] = 'x';
	assert_int_equal(record->gaps.count, 2);
	assert_string_equal(record->gaps.items[0].reason, "b");
	assert_string_equal(record->gaps.items[1].name, "later");
	assert_memory_equal(record->gaps.items[1].reason, "12: \u00e9", 6);
	assert_int_equal(strlen(record->gaps.items[1].reason) % 2, 0);
	assert_false(report_lacks_memory(record_memory(record)));
}

static void a_clock_can_be_set_back(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} clocks[] = { { "-1500000000", INT64_C(-1500000000) }, { "2", 2 }, { "0", 0 }, { "-1.5", 0 }, { "'-2'", 0 }, { "null", 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		cleanup_free char *text = NULL, *again_text = NULL;
		cleanup_record struct record *record = NULL, *read = NULL;

		assert_true(asprintf(&text, "{'clock_set_ns': %s}", clocks[i].text) > 0);
		record = case_record_text(text);
		read = again(record);
		again_text = written(read);
		assert_int_equal(record->clock_set_ns, clocks[i].ns);
		assert_int_equal(read->clock_set_ns, clocks[i].ns);
		assert_int_equal(!!strstr(again_text, "clock_set_ns"), clocks[i].ns != 0);
	}
}

/* ---- bounds and refusals ---- */

static char *json_text(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *at = copy; *at; at++)
		if (*at == '\'')
			*at = '"';
	return copy;
}

static struct record *read_bounded(const char *text, struct record_bounds bounds, struct error *err)
{
	struct record_identity identity;
	char *json = json_text(text);

	return record_read(json, strlen(json), &bounds, "r", &identity, err);
}

static void a_longer_text_than_the_bound_is_not_known(void **state)
{
	struct error err = { "" };
	cleanup_record struct record *record = read_bounded(
		HEAD ", 'work_dir': '12345678', 'output': '123456789', 'lost': {'123456789': 1, '12345678': 2, '123456780': 3}, 'tools': [{'name': '1234567\\u00e9', 'path': '/'}]}",
		(struct record_bounds){ .text = 8 }, &err);

	(void)state;
	assert_non_null(record);
	assert_string_equal(record->work_dir, "12345678");
	assert_null(record->output);
	assert_int_equal(record->lost.count, 1);
	assert_string_equal(record->lost.items[0].name, "12345678");
	assert_null(record->tools.items[0].name); /* bytes count, not characters */
	assert_string_equal(record->tools.items[0].path, "/");
}

static void a_record_that_takes_more_memory_than_the_bound_is_refused(void **state)
{
	const struct record_bounds bounds = { .memory = 1 << 20 };
	cleanup_free char *many = malloc(sizeof(HEAD) + 64 + 10000 * 3);
	struct error err = { "" };
	cleanup_record struct record *record = read_bounded(HEAD ", 'timeline': [{}]}", bounds, &err);

	(void)state;
	assert_non_null(record);
	/* the bound is only for what is read */
	for (int i = 0; i < 20000; i++)
		record_add_gap(record, "name", "reason");
	assert_false(report_lacks_memory(record_memory(record)));
	assert_true(record_bytes(record) > bounds.memory);
	assert_non_null(many);
	strcpy(many, HEAD ", 'timeline': [{}");
	for (size_t i = 0, end = strlen(many); i < 10000; i++, end += 3)
		strcpy(many + end, ",{}");
	strcat(many, "]}");
	assert_null(read_bounded(many, bounds, &err));
	assert_int_equal(errno, EFBIG);
	assert_non_null(strstr(err.text, "r: refused: it is larger than anything that stint writes"));
}

#define DEEP "[[[[[[[[[[[[[[[[" /* with the record, one deeper than any format of stint */

static void no_record_is_refused(void **state)
{
	static const struct {
		const char *text;
		int why;
		const char *expected;
	} bad[] = {
		{ "", EBADMSG, "r: damaged JSON at byte 1: it ends too soon" },
		{ "[]", EBADMSG, "r: not a JSON object" },
		{ "7", EBADMSG, "r: not a JSON object" },
		{ "null", EBADMSG, "r: not a JSON object" },
		{ HEAD, EBADMSG, "it ends too soon" },
		{ HEAD "} {}", EBADMSG, "more text follows" },
		{ HEAD ", 'mode': tot}", EBADMSG, "damaged JSON" },
		{ HEAD ", 'cgroup_id': 01}", EBADMSG, "damaged JSON" },
		{ HEAD ", 'mode': '\xff'}", EBADMSG, "damaged JSON" },
		{ HEAD ", 'new': " DEEP, EBADMSG, "it is nested too deeply" },
		{ HEAD ", 'tools': " DEEP, EBADMSG, "it is nested too deeply" },
		{ "{}", EBADMSG, "r: not a node record" },
		{ "{'stint_record': 2}", EPROTONOSUPPORT, "r: a node record of version 2; this stint reads version 1" },
		{ "{'stint_record': 0}", EPROTONOSUPPORT, "r: a node record of version 0" },
		{ "{'stint_record': -1}", EBADMSG, "r: not a node record" },
		{ "{'stint_record': 1}", EBADMSG, "without identity.job_id" },
		{ "{'stint_record': 1, 'identity': {'job_id': 0}}", EBADMSG, "without identity.job_id" },
		{ "{'stint_record': 1, 'identity': {'job_id': 4294967296}}", EBADMSG, "without identity.job_id" },
		{ "{'stint_record': 1, 'identity': {'job_id': 1, 'attempt': 0, 'node': 'n1'}}", EBADMSG, "without identity.attempt" },
		{ "{'stint_record': 1, 'identity': {'job_id': 1, 'attempt': 4294967296}}", EBADMSG, "without identity.attempt" },
		{ "{'stint_record': 1, 'identity': {'job_id': 1, 'attempt': 1}}", EBADMSG, "without identity.node" },
		{ "{'stint_record': 1, 'identity': {'job_id': 1, 'attempt': 1, 'node': ''}}", EBADMSG, "without identity.node" },
		{ "{'stint_record': 1, 'identity': {'job_id': 1, 'attempt': 1, 'node': '../x'}}", EBADMSG, "without identity.node" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct record_identity identity;
		struct error err = { "" };
		char *text = json_text(bad[i].text);

		errno = 0;
		assert_null(record_read(text, strlen(text), NULL, "r", &identity, &err));
		if (errno != bad[i].why || !strstr(err.text, bad[i].expected))
			fail_msg("errno %d, '%s' in: %s", errno, err.text, bad[i].text);
	}
}

static void a_record_says_whose_it_is(void **state)
{
	static const char text[] = "{\"stint_record\": 1, \"identity\": {\"job_id\": 4294967295, \"attempt\": 2, \"node\": \"n1\"}} trailing";
	struct record_identity identity;
	struct error err = { "" };
	struct record *record = record_parse(text, strlen(text) - strlen(" trailing"), "r", &identity, &err);

	(void)state;
	assert_non_null(record);
	assert_int_equal(identity.job_id, UINT32_MAX);
	assert_int_equal(identity.attempt, 2);
	assert_string_equal(identity.node, "n1");
	record_free(record);
	assert_null(record_parse(text, sizeof(text), "r", &identity, &err)); /* a NUL in the text, too */
	assert_int_equal(errno, EBADMSG);
}

/* ---- what Slurm says ---- */

static struct slurm_answer *read_answer(const char *text, struct error *err)
{
	char *json = json_text(text);

	return slurm_answer_read(json, strlen(json), "slurm", err);
}

static void an_answer_is_a_job_or_a_list_of_jobs(void **state)
{
	struct error err = { "" };
	cleanup_answer struct slurm_answer *one = read_answer(" {'job_id': 7, 'name': 'align', 'steps_timed_out': [1, 2]}", &err);
	cleanup_answer struct slurm_answer *list = read_answer("\n[{'job_id': 8}, {'job_id': 9, 'left_out': 3}]\n", &err);
	cleanup_answer struct slurm_answer *none = read_answer("[]", &err), *odd = read_answer("[7]", &err);

	(void)state;
	assert_int_equal(one->jobs.count, 1);
	assert_int_equal(slurm_answer_job(one)->job_id, 7);
	assert_string_equal(slurm_answer_job(one)->name, "align");
	assert_int_equal(slurm_answer_job(one)->steps_timed_out.items[1], 2);
	assert_int_equal(list->jobs.count, 2);
	assert_int_equal(slurm_answer_job(list)->job_id, 8);
	assert_int_equal(list->jobs.items[1].left_out, 3);
	assert_null(slurm_answer_job(none));
	assert_null(slurm_answer_job(NULL));
	assert_false(slurm_answer_job(odd)->known);
	slurm_answer_free(NULL);
}

static void no_answer_is_refused(void **state)
{
	static const char *const bad[] = { "", "7", "{'job_id': 7", "[{'job_id': 7}", "{} {}", "[] []", "[{]" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = { "" };

		errno = 0;
		if (read_answer(bad[i], &err))
			fail_msg("it was read: %s", bad[i]);
		assert_int_equal(errno, EBADMSG);
		assert_int_equal(strncmp(err.text, "slurm: ", 7), 0);
	}
}

static void a_limit_that_is_null_is_known_to_be_none(void **state)
{
	static const char text[] = "{'slurm_job': {'array_job_id': null, 'time_limit_s': 60, 'cpus': null}}";
	cleanup_record struct record *record = case_record_text(text), *read = again(record), *copy = record_copy(record);
	const struct record *const all[] = { record, read, copy };
	int64_t value = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct record_slurm_job *job = &all[i]->slurm_job;

		assert_true(job->known);
		assert_int_equal(job->array_job_id, REPORT_NONE);
		assert_int_equal(job->array_task_id, REPORT_UNKNOWN);
		assert_int_equal(job->time_limit_s, 60);
		assert_int_equal(job->cpus, REPORT_UNKNOWN);
		assert_false(take_count(job->array_job_id, &value));
		assert_int_equal(value, 42);
	}
}

static void nothing_is_known_of_a_job_that_is_not_there(void **state)
{
	cleanup_record struct record *record = case_record_text("{'slurm_job': {'job_id': 7, 'name': 'x', 'node_names': ['n1']}}");
	const struct record_slurm_job *unknown = slurm_job_or_unknown(NULL);

	(void)state;
	assert_ptr_equal(slurm_job_or_unknown(&record->slurm_job), &record->slurm_job);
	slurm_job_forget(&record->slurm_job);
	for (int i = 0; i < 2; i++, unknown = &record->slurm_job) {
		assert_false(unknown->known);
		assert_int_equal(unknown->job_id, REPORT_UNKNOWN);
		assert_int_equal(unknown->time_limit_s, REPORT_UNKNOWN);
		assert_null(unknown->name);
		assert_int_equal(unknown->node_names.count, 0);
	}
}

#define THREADS 4

static pthread_barrier_t begin;

static void *read_unknown_job(void *known)
{
	const struct record_slurm_job *unknown;

	pthread_barrier_wait(&begin);
	unknown = slurm_job_or_unknown(NULL);
	return unknown->job_id == REPORT_UNKNOWN && unknown->left_out == REPORT_UNKNOWN ? NULL : known;
}

/* Under ThreadSanitizer this is the first test: the first reader must not change what another reads. */
static void of_a_job_that_is_not_there_all_threads_know_nothing(void **state)
{
	pthread_t threads[THREADS];
	void *known;

	assert_int_equal(pthread_barrier_init(&begin, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_unknown_job, state), 0);
	for (size_t i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &known), 0);
		assert_null(known);
	}
	pthread_barrier_destroy(&begin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_job_that_is_not_there_all_threads_know_nothing),
		cmocka_unit_test(what_is_not_there_is_not_known),
		cmocka_unit_test(what_is_of_another_type_is_not_known),
		cmocka_unit_test(what_was_left_out_is_zero_only_if_the_writer_counts_the_same),
		cmocka_unit_test(zeros_are_left_out_when_written),
		cmocka_unit_test(a_record_that_was_written_and_read_is_the_same),
		cmocka_unit_test(hidden_members_are_not_written),
		cmocka_unit_test(a_copy_needs_nothing_of_its_original),
		cmocka_unit_test(a_shared_record_lives_until_its_last_owner_goes),
		cmocka_unit_test(gaps_are_added_to_those_that_were_read),
		cmocka_unit_test(a_clock_can_be_set_back),
		cmocka_unit_test(a_longer_text_than_the_bound_is_not_known),
		cmocka_unit_test(a_record_that_takes_more_memory_than_the_bound_is_refused),
		cmocka_unit_test(no_record_is_refused),
		cmocka_unit_test(a_record_says_whose_it_is),
		cmocka_unit_test(an_answer_is_a_job_or_a_list_of_jobs),
		cmocka_unit_test(no_answer_is_refused),
		cmocka_unit_test(a_limit_that_is_null_is_known_to_be_none),
		cmocka_unit_test(nothing_is_known_of_a_job_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
