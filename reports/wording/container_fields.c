/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/container_fields.h"

#include <string.h>

#include "common/utf8.h"

#define NAME_SHOWN 40 /* bytes of a runtime or image */

static void append_cut(char text[CONTAINER_NAME_TEXT], const char *part)
{
	size_t length = strlen(part);

	if (length <= NAME_SHOWN)
		utf8_append(text, CONTAINER_NAME_TEXT, "%s", part);
	else
		utf8_append(text, CONTAINER_NAME_TEXT, "%.*s...", (int)utf8_whole(part, NAME_SHOWN - 3), part);
}

static const char *base_of(const char *image)
{
	const char *slash = strrchr(image, '/');

	return slash && slash[1] ? slash + 1 : image;
}

const char *container_name(const struct report *report, int64_t place, char text[CONTAINER_NAME_TEXT])
{
	const struct report_container *container;

	if (place < 0 || (uint64_t)place >= report->containers.count)
		return NULL;
	container = &report->containers.items[place];
	*text = '\0';
	if (!container->runtime) {
		utf8_append(text, CONTAINER_NAME_TEXT, "container %lld", (long long)place + 1);
		return text;
	}
	append_cut(text, container->runtime);
	if (container->image) {
		utf8_append(text, CONTAINER_NAME_TEXT, " ");
		append_cut(text, base_of(container->image));
	}
	return text;
}

double container_cost_s(const struct report *report, const struct report_tool **most)
{
	double sum = 0;

	*most = NULL;
	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *tool = &report->tools.items[i];

		if (!tool->runtime || tool->container >= 0 || tool->slurm.value || !(report_s(tool->cpu_s) > 0))
			continue;
		sum += report_s(tool->cpu_s);
		if (!*most || report_s(tool->cpu_s) > report_s((*most)->cpu_s))
			*most = tool;
	}
	return sum;
}
