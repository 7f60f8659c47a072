/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which jobs get a summary in AdminComment. Jobs with GPUs keep theirs, which says more than stint's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/js1_form.h"
#include "reports/json/gzip64.h"

static bool has_gpus(const char *json)
{
	cleanup_free char *packed = gzip64(json, strlen(json), 9), *comment = NULL;

	assert_non_null(packed);
	assert_true(asprintf(&comment, JS1_PREFIX "%s", packed) > 0);
	assert_true(js1_valid(comment));
	assert_true(js1_may_replace(comment, JS1_NONE) == !js1_has_gpus(comment));
	assert_true(js1_may_replace(comment, NULL) && js1_may_replace(comment, comment)); /* stint's own later summary */
	return js1_has_gpus(comment);
}

/* In the form of jobstats 1.x, with its blanks. */
static void a_summary_with_gpus_is_told_from_one_without(void **state)
{
	(void)state;
	assert_true(has_gpus("{\"nodes\": {\"n1\": {\"total_memory\": 4294967296, \"used_memory\": 1, \"total_time\": 57.1, "
			     "\"cpus\": 4, \"gpu_total_memory\": {\"0\": 42949672960}, \"gpu_used_memory\": {\"0\": 1024}, "
			     "\"gpu_utilization\": {\"0\": 97.5}}}, \"total_time\": 61, \"gpus\": 1}"));
	assert_true(has_gpus("{\"gpus\":8}"));
	assert_false(has_gpus("{\"nodes\":{\"n1\":{\"total_memory\":1,\"used_memory\":1,\"total_time\":5,\"cpus\":4}},"
			      "\"total_time\":61,\"gpus\":0}"));
	assert_false(has_gpus("{\"nodes\":{\"gpus\":8}}"));
}

static void what_no_reader_can_use_has_none(void **state)
{
	cleanup_free char *large = calloc(1, 3000001), *packed = NULL, *comment = NULL;

	(void)state;
	assert_false(js1_has_gpus(NULL));
	assert_false(js1_has_gpus(""));
	assert_false(js1_has_gpus("ticket 8"));
	assert_false(js1_may_replace("ticket 8", NULL));
	assert_true(js1_may_replace(NULL, NULL) && js1_may_replace("", JS1_NONE) && js1_may_replace(JS1_NONE, JS1_NONE));
	assert_false(js1_has_gpus(JS1_NONE));
	assert_false(js1_has_gpus(JS1_SHORT));
	assert_false(js1_has_gpus("JS1:H4sI"));
	assert_false(has_gpus("{\"gpus\":"));
	assert_false(has_gpus("[8]"));
	/* a MiB and more of blanks before it */
	memset(large, ' ', 2999990);
	strcpy(large + 2999980, "{\"gpus\":8}");
	packed = gzip64(large, strlen(large), 9);
	assert_true(packed && asprintf(&comment, JS1_PREFIX "%s", packed) > 0 && js1_valid(comment));
	assert_false(js1_has_gpus(comment));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_summary_with_gpus_is_told_from_one_without),
		cmocka_unit_test(what_no_reader_can_use_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
