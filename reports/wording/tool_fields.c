/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/tool_fields.h"

#include <stddef.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"

#define FOLDER_SHOWN 40 /* bytes */

/* A path, its folder, and the last part of that: "/usr/lib/git-core/git" has "git-core". */
struct folder {
	const char *path, *last;
	size_t length;      /* of the folder */
	size_t last_length;
};

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

/* Returns false if @tool has no absolute path. */
static bool read_folder(struct json_object *tool, struct folder *folder)
{
	const char *path = field_text(tool, "path"), *end = path && *path == '/' ? strrchr(path, '/') : NULL;

	if (!end)
		return false;
	*folder = (struct folder){ .path = path, .last = end, .length = (size_t)(end - path) };
	while (folder->last > path && folder->last[-1] != '/')
		folder->last--;
	folder->last_length = (size_t)(end - folder->last);
	return true;
}

static bool same_text(struct json_object *one, struct json_object *other, const char *name)
{
	const char *text = field_text(one, name), *there = field_text(other, name);

	return text && there ? strcmp(text, there) == 0 : text == there;
}

static bool look_the_same(struct json_object *one, struct json_object *other)
{
	return same_text(one, other, "name") && same_text(one, other, "interpreter") &&
	       field_true(one, "slurm") == field_true(other, "slurm");
}

const char *tool_fields_folder(struct json_object *tools, struct json_object *tool, char text[TOOL_FOLDER_TEXT])
{
	bool alike = false, last_alike = false;
	struct folder own, there;

	if (!field_text(tool, "name") || !read_folder(tool, &own))
		return NULL;
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *other = json_object_array_get_idx(tools, i);

		if (other == tool || !look_the_same(tool, other) || !read_folder(other, &there) ||
		    (own.length == there.length && memcmp(own.path, there.path, own.length) == 0))
			continue;
		alike = true;
		last_alike |= own.last_length == there.last_length && memcmp(own.last, there.last, own.last_length) == 0;
	}
	text[0] = '\0';
	if (alike && !last_alike && own.last_length > 0)
		utf8_append(text, FOLDER_SHOWN, "%.*s", (int)own.last_length, own.last);
	else if (alike)
		utf8_append(text, TOOL_FOLDER_TEXT, "%.*s", own.length > 0 ? (int)own.length : 1, own.path);
	return alike ? text : NULL;
}
