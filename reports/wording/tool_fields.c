/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/tool_fields.h"

#include "reports/json/field.h"

bool tool_fields_know(struct json_object *tools, const char *name)
{
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (!field_true(tool, "slurm") && field_find(tool, name))
			return true;
	}
	return false;
}

const char *tool_fields_peak(struct json_object *tools)
{
	return tool_fields_know(tools, "used_peak_bytes") ? "used_peak_bytes" : "peak_bytes";
}
