/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says which processes left the job's cgroup. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"
#include "common/utf8.h"

#define NAMES_BYTES 80 /* of all tools' names in the sentence */
#define NAME_BYTES 32 /* of one name */
#define MORE ", ..."

/* Appends @name to the list in @names. Returns false if there is no room, with "..." at the end of the list. */
static bool add_name(char names[NAMES_BYTES], const char *name)
{
	size_t used = strlen(names), length = strnlen(name, NAME_BYTES);

	if (name[length])
		length = utf8_whole(name, length);
	if (used + length + sizeof(MORE ", ") > NAMES_BYTES) {
		strcpy(names + used, MORE);
		return false;
	}
	snprintf(names + used, NAMES_BYTES - used, "%s%.*s", used ? ", " : "", (int)length, name);
	return true;
}

static void list_tools(const struct build *b, char names[NAMES_BYTES])
{
	char name[ABI_PATH_MAX + 4];

	names[0] = '\0';
	for (size_t i = 0; i < b->tool_count; i++) {
		if (!b->listed[i].tool.moved_out)
			continue;
		node_record_tool_name(&b->listed[i], name);
		if (!add_name(names, name))
			return;
	}
}

void node_record_moved_out(struct build *b)
{
	uint64_t processes = b->totals.moved_out, first_ns = b->totals.moved_out_ns, opened_ns = b->job->opened_ns;
	struct json_object *object = put_object(b->record, "moved_out");
	char why[256], names[NAMES_BYTES], when[64] = "";

	put_count(object, "processes", processes);
	if (first_ns)
		put_count(object, "first_unix_ns", first_ns + b->to_unix_ns);
	list_tools(b, names);
	if (first_ns && opened_ns)
		snprintf(when, sizeof(when), ", %s%" PRIu64 " s after the start", processes > 1 ? "the first " : "",
			 first_ns > opened_ns ? (first_ns - opened_ns) / 1000000000 : 0);
	snprintf(why, sizeof(why), "%" PRIu64 " %s%s%s%s left the job's cgroup%s; what %s used afterwards is unknown",
		 processes, processes == 1 ? "process" : "processes", names[0] ? " (" : "", names, names[0] ? ")" : "",
		 when, processes == 1 ? "it" : "they");
	node_record_gap(b, "used", why);
}
