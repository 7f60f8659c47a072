/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report file, which any user can write, as "stint report" shows it to another. */
#include <stdlib.h>
#include <string.h>

#include "collector/common/escape.h"
#include "reports/report.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fuzz.h"

static void complain(const struct error *err)
{
	char shown[sizeof(err->text) * 4 + 1];

	escape_text(err->text, shown, sizeof(shown));
	HOLDS(shown[0]);
	HOLDS_OF(fuzz_is_shown_safely(shown, strlen(shown)), shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { "" };
	char *text = NULL;
	const char *file = fuzz_file(0, data, size);
	struct json_object *report = report_load(file, &text, &err);

	if (report) {
		struct json_object *brief = report_load_brief(file, &err);

		built_check_page(report);
		HOLDS(brief);
		built_check_same_page(report, brief);
		json_object_put(brief);
		HOLDS(strlen(text) <= size);
	} else {
		complain(&err);
	}
	json_object_put(report);
	free(text);
	return 0;
}
