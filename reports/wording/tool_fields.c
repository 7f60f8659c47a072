/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/tool_fields.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/utf8.h"

#define FOLDER_SHOWN 40 /* bytes */
#define CPU_ROUNDED 1.01 /* CPU time and wall time of a process may differ by this factor */
#define CPU_ROUNDED_S 0.01

/* For "/usr/lib/git-core/git", last is "git-core". */
struct folder {
	const char *path, *last;
	size_t length;      /* of the folder */
	size_t last_length;
};

const char *tool_fields_peak(const struct report_tool_list *tools)
{
	for (size_t i = 0; i < tools->count; i++)
		if (!tools->items[i].slurm.value && tools->items[i].used_peak_bytes >= 0)
			return "used_peak_bytes";
	return "peak_bytes";
}

double tool_fields_forks(const struct report_tool *tool)
{
	double most_s = report_s(tool->wall_s) * fmax(1, report_number(tool->threads_peak));
	bool explained = !(report_s(tool->cpu_s) > CPU_ROUNDED * most_s + CPU_ROUNDED_S);

	return explained ? 0 : fmax(0, report_number(tool->forks));
}

static bool read_folder(const struct report_tool *tool, struct folder *folder)
{
	const char *path = tool->path, *end = path && *path == '/' ? strrchr(path, '/') : NULL;

	if (!end)
		return false;
	*folder = (struct folder){ .path = path, .last = end, .length = (size_t)(end - path) };
	while (folder->last > path && folder->last[-1] != '/')
		folder->last--;
	folder->last_length = (size_t)(end - folder->last);
	return true;
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool look_the_same(const struct report_tool *one, const struct report_tool *other)
{
	return same_text(one->name, other->name) && same_text(one->interpreter, other->interpreter) &&
	       one->slurm.value == other->slurm.value;
}

const char *tool_fields_folder(const struct report_tool_list *tools, const struct report_tool *tool, char text[TOOL_FOLDER_TEXT])
{
	bool alike = false, last_alike = false;
	struct folder own, there;

	if (!tool->name || !read_folder(tool, &own))
		return NULL;
	for (size_t i = 0; i < tools->count; i++) {
		const struct report_tool *other = &tools->items[i];

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
