/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes a report file, which any user can write, as a C type.
 * If json-c takes the JSON for a report, so must the model, with the same fields.
 * The written report must be JSON, and the same when it is read again.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/model/report_read.h"
#include "reports/model/report_write.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/reports/model_agree.h"

#define BYTES_MAX ((size_t)64 << 20)

static struct report *read_report(const char *text, size_t len, const struct report_want *want, struct error *err)
{
	char *copy = malloc(len + 1);

	HOLDS(copy);
	memcpy(copy, text, len + 1);
	return report_read(copy, len, want, "report", err);
}

/*
 * Two differences to json-c are allowed. A text of the model ends at its NUL.
 * json-c also takes raw control characters, and bytes that are not UTF-8.
 */
static void check_agrees(struct report *report, const char *text, size_t len)
{
	struct json_object *json = field_parse(text, len, "report", json_type_object, NULL);
	struct model_difference where = { "" };

	HOLDS(report || !json || !fuzz_is_json(text, len));
	if (report && json && !strstr(text, "\\u0000"))
		HOLDS_OF(model_agrees(report_whole(), report, json, "", &where), where.name);
	json_object_put(json);
}

static char *write_report(struct report *report, size_t *len)
{
	char *text = report_write(report, len);

	HOLDS(text && strlen(text) == *len);
	return text;
}

static void check_written(struct report *report)
{
	size_t len, again_len;
	char *text = write_report(report, &len), *again;
	struct error err = { "" };
	struct report *read = read_report(text, len, &report_want_all, &err);

	HOLDS_OF(fuzz_is_json(text, len) && fuzz_is_shown_safely(text, len), text);
	HOLDS_OF(read, err.text);
	again = write_report(read, &again_len);
	HOLDS_OF(strcmp(text, again) == 0, text);
	report_free(read);
	free(text);
	free(again);
}

static void check_head(const char *text, size_t len)
{
	static const struct report_want head = { REPORT_PART(schema) | REPORT_PART(job) | REPORT_PART(findings),
						 REPORT_PART_tools, BYTES_MAX };
	struct error err = { "" };
	struct report *report = read_report(text, len, &head, &err);

	HOLDS(report || err.text[0]);
	HOLDS(!report || (!report->tools.known && !report->used.known));
	report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { "" };
	struct report *report;
	char *text = malloc(size + 1);

	HOLDS(text);
	memcpy(text, data, size);
	text[size] = '\0';
	report = read_report(text, size, &report_want_all, &err);
	HOLDS(report || err.text[0]);
	check_agrees(report, text, size);
	if (report)
		check_written(report);
	check_head(text, size);
	report_free(report);
	free(text);
	return 0;
}
