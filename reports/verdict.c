/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict.h"

#include "reports/field.h"

void verdict_put(struct json_object *report, const struct rules *rules)
{
	struct json_object *verdict = put_object(report, "verdict");

	(void)rules;
	put_text(verdict, "bound", "unknown");
	put_array(verdict, "evidence");
	put_text(verdict, "text", "Unknown: the report does not tell what its threads did.");
	put_array(report, "findings");
	put_array(report, "advice");
}
