/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests Prometheus' text format. tests/system/metrics.bats has Prometheus itself read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "collector/metrics/metric_text.h"

static void metrics_have_help_type_and_exact_values(void **state)
{
	const struct metric_label label = { "state", "file_io" };
	cleanup_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	metric_begin(out, "x_seconds_total", METRIC_COUNTER, "Time.");
	metric_seconds(out, "x_seconds_total", &label, UINT64_C(12000000034));
	metric_begin(out, "x_bytes", METRIC_GAUGE, "Bytes.");
	metric_count(out, "x_bytes", NULL, UINT64_MAX);
	fclose(out);
	assert_string_equal(text, "# HELP x_seconds_total Time.\n# TYPE x_seconds_total counter\n"
				  "x_seconds_total{state=\"file_io\"} 12.000000034\n"
				  "# HELP x_bytes Bytes.\n# TYPE x_bytes gauge\nx_bytes 18446744073709551615\n");
}

static void a_label_cannot_break_out_of_its_quotes(void **state)
{
	const struct metric_label label = { "name", "a\"b\\c\nd" };
	cleanup_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	metric_count(out, "x", &label, 1);
	fclose(out);
	assert_string_equal(text, "x{name=\"a\\\"b\\\\c\\nd\"} 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_have_help_type_and_exact_values),
		cmocka_unit_test(a_label_cannot_break_out_of_its_quotes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
