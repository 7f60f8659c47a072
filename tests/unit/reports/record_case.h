/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records for tests that write only the parts that they need. Include this after cmocka.h. */
#ifndef STINT_RECORD_CASE_H
#define STINT_RECORD_CASE_H

#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/case.h"

/* Returns the record in @json, of the job 7 on n1, for record_free(). */
static inline struct record *case_record(struct json_object *json)
{
	cleanup_json struct json_object *head =
		case_json("{'stint_record': 1, 'identity': {'job_id': 7, 'attempt': 1, 'node': 'n1'}}");

	case_merge(head, json);
	return record_of(head);
}

/* Returns the record in @text, which has ' in place of ". */
static inline struct record *case_record_text(const char *text)
{
	cleanup_json struct json_object *json = case_json(text);

	return case_record(json);
}

#endif
