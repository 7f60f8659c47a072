/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a summary of the store says how old its data are, and more only if they may lack something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/site/store_age.h"

#define NOW (INT64_C(1764428400) * US_PER_S) /* 2025-11-29 15:00 UTC */
#define MINUTE (60 * US_PER_S)
#define DAY (1440 * MINUTE)
#define BEGIN "The store's last batch was ingested "

static void assert_says(const struct store_age *age, const char *expected)
{
	cleanup_free char *text = store_age_sentence(age);

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static void a_store_that_is_kept_up_says_only_its_age(void **state)
{
	struct store_age age = { .now_us = NOW, .ingested_us = NOW - 4 * MINUTE, .looked_us = NOW - 2 * MINUTE, .newest_us = NOW - DAY,
				 .waiting = -1 };

	(void)state;
	assert_says(&age, BEGIN "2025-11-29 14:56, 4 min ago.");
	age.ingested_us = NOW + MINUTE;
	assert_says(&age, BEGIN "2025-11-29 15:01, 0 s ago.");
}

static void a_cluster_that_is_idle_is_told_from_an_ingest_that_stands_still(void **state)
{
	struct store_age age = { .now_us = NOW, .ingested_us = NOW - 5 * DAY, .looked_us = NOW - 2 * MINUTE, .newest_us = NOW - 5 * DAY,
				 .waiting = -1 };

	(void)state;
	assert_says(&age, BEGIN "2025-11-24 15:00, 5 d ago. None has come since (looked 2 min ago). The newest job ended on 2025-11-24.");
	age.looked_us = NOW - 2 * DAY;
	age.waiting = 1200;
	age.newest_us = NOW - DAY;
	assert_says(&age, BEGIN "2025-11-24 15:00, 5 d ago. stint ingest last looked for more 2 d ago. 1,200 batches wait for it.");
	age.waiting = 1;
	age.looked_us = 0;
	assert_says(&age, BEGIN "2025-11-24 15:00, 5 d ago. 1 batch waits for it.");
}

static void the_oldest_of_several_databases_is_named(void **state)
{
	struct store_age idle = { .now_us = NOW, .ingested_us = NOW - 5 * DAY, .looked_us = NOW - 2 * MINUTE, .waiting = -1 };
	struct store_age busy = idle, late = idle;
	const struct store_age none = { .now_us = NOW, .looked_us = NOW - MINUTE, .waiting = -1 };

	(void)state;
	busy.ingested_us = NOW - MINUTE;
	late.ingested_us = late.looked_us = NOW - DAY;
	assert_true(store_age_is_older(&idle, &busy));
	assert_false(store_age_is_older(&busy, &idle));
	assert_true(store_age_is_older(&late, &idle));
	assert_false(store_age_is_older(&idle, &late));
	assert_false(store_age_is_older(&none, &busy));
	assert_true(store_age_is_older(&busy, &none));
	strcpy(idle.whose, "beta, gamma");
	assert_says(&idle, "The store's oldest data are those of beta, gamma: the last batch was ingested 2025-11-24 15:00, 5 d ago. "
			   "None has come since (looked 2 min ago).");
}

static void what_is_not_known_is_null(void **state)
{
	const struct store_age none = { .now_us = NOW, .waiting = -1 };
	cleanup_json struct json_object *object = json_object_new_object();

	(void)state;
	assert_null(store_age_sentence(&none));
	store_age_put(&none, object);
	assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
			    "{\"store\":{\"ingested\":null,\"looked\":null,\"newest_end\":null,\"waiting\":null}}");
}

static void json_has_the_times(void **state)
{
	const struct store_age age = { .now_us = NOW, .ingested_us = NOW, .looked_us = NOW, .newest_us = NOW - DAY, .waiting = 3 };
	cleanup_json struct json_object *object = json_object_new_object();

	(void)state;
	store_age_put(&age, object);
	assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
			    "{\"store\":{\"ingested\":\"2025-11-29T15:00:00.000+00:00\",\"looked\":\"2025-11-29T15:00:00.000+00:00\","
			    "\"newest_end\":\"2025-11-28\",\"waiting\":3}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_that_is_kept_up_says_only_its_age),
		cmocka_unit_test(a_cluster_that_is_idle_is_told_from_an_ingest_that_stands_still),
		cmocka_unit_test(the_oldest_of_several_databases_is_named),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(json_has_the_times),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
