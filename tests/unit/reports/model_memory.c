/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a report is read, made or written whole, or not at all, whichever allocation fails. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/memory/memory_limit.h"
#include "reports/model/report_make.h"
#include "tests/unit/reports/failing_memory.h"
#include "tests/unit/reports/model_case.h"

#ifdef MEMORY_SANITIZED
int main(void)
{
	puts("1..0 # SKIP a sanitizer has an allocator of its own");
	return 0;
}
#else
static struct report *read_failing(const char *text, unsigned long failing, struct error *err)
{
	char *copy = strdup(text);
	struct report *report;

	failing_memory_count = 0;
	failing_memory_at = failing;
	report = report_read(copy, strlen(text), &report_want_all, "t", err);
	failing_memory_at = 0;
	return report;
}

static void reads_whole_or_not(const char *name, const char *text)
{
	struct error err;

	for (unsigned long failing = 1;; failing++) {
		cleanup_report struct report *report = read_failing(text, failing, &err);

		if (failing_memory_count < failing) {
			assert_non_null(report);
			return;
		}
		if (report)
			fail_msg("%s: allocation %lu failed, and there is a report", name, failing);
		assert_string_equal(err.text, "t: out of memory");
	}
}

static void a_report_is_read_whole_or_not_at_all(void **state)
{
	(void)state;
	model_each_fixture(reads_whole_or_not);
}

static void writes_whole_or_not(const char *name, const char *text)
{
	cleanup_report struct report *report = model_of(text);
	size_t len;
	cleanup_free char *whole = report_write(report, &len);

	assert_non_null(whole);
	for (unsigned long failing = 1; failing < 40; failing++) {
		char *written;

		failing_memory_count = 0;
		failing_memory_at = failing;
		written = report_write(report, &len);
		failing_memory_at = 0;
		if (written && strcmp(written, whole) != 0)
			fail_msg("%s: allocation %lu failed, and part of it was written", name, failing);
		free(written);
	}
}

static void a_report_is_written_whole_or_not_at_all(void **state)
{
	(void)state;
	model_each_fixture(writes_whole_or_not);
}

#define MADE 200

static void make_much(struct report *report)
{
	for (size_t i = 0; i < MADE; i++) {
		struct report_finding *finding = REPORT_ADD(report, &report->findings, finding);
		struct report_evidence *number;

		assert_non_null(finding);
		finding->code = report_copy(report, "a-code");
		finding->text = report_copy(report, "\xff is not valid");
		report_add_ratio(report, &finding->threshold, "of", (double)i);
		number = REPORT_ADD(report, &finding->evidence, evidence);
		assert_non_null(number);
		number->value.number = (double)i;
	}
}

static void assert_has_all(const struct report *report)
{
	assert_int_equal(report->findings.count, MADE);
	for (size_t i = 0; i < MADE; i++) {
		const struct report_finding *finding = &report->findings.items[i];

		assert_string_equal(finding->code, "a-code");
		assert_string_equal(finding->text, "\xef\xbf\xbd is not valid");
		assert_true(finding->threshold.count == 1 && finding->threshold.items[0].value == (double)i);
		assert_true(finding->evidence.count == 1 && finding->evidence.items[0].value.number == (double)i);
	}
}

static void what_there_was_no_memory_for_is_known_to_lack(void **state)
{
	(void)state;
	for (unsigned long failing = 1;; failing++) {
		cleanup_report struct report *report = report_new(NULL);

		assert_non_null(report);
		failing_memory_count = 0;
		failing_memory_at = failing;
		make_much(report);
		failing_memory_at = 0;
		if (failing_memory_count < failing) {
			assert_true(failing > MADE);
			assert_false(report_lacks_memory(report));
			assert_has_all(report);
			return;
		}
		if (!report_lacks_memory(report))
			fail_msg("allocation %lu failed, and nothing is known to lack", failing);
	}
}

static void a_report_beyond_its_bound_is_refused(void **state)
{
	static const struct report_want want = { UINT64_MAX, REPORT_PARTS, 1 << 20 };
	size_t length = 3 * (1 << 16);
	char *text = malloc(length + 32), *at = text;
	struct error err = { "" };

	(void)state;
	assert_non_null(text);
	at += sprintf(at, "{\"tools\": [{}");
	for (; at < text + length; at += 3)
		memcpy(at, ",{}", 4);
	memcpy(at, "]}", 3);
	assert_null(report_read(text, strlen(text), &want, "t", &err));
	assert_int_equal(errno, EFBIG);
	assert_non_null(strstr(err.text, "refused"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_read_whole_or_not_at_all),
		cmocka_unit_test(a_report_is_written_whole_or_not_at_all),
		cmocka_unit_test(what_there_was_no_memory_for_is_known_to_lack),
		cmocka_unit_test(a_report_beyond_its_bound_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
