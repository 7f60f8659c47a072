/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/group_again.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"

static int compare(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

static void write_ranges(FILE *out, const int64_t *tasks, size_t count)
{
	for (size_t first = 0, last; first < count; first = last + 1) {
		for (last = first; last + 1 < count && tasks[last + 1] <= tasks[last] + 1;)
			last++;
		fprintf(out, "%s%" PRId64, first ? "," : "", tasks[first]);
		if (tasks[last] > tasks[first])
			fprintf(out, "%s%" PRId64, tasks[last] == tasks[first] + 1 ? "," : "-", tasks[last]);
	}
}

char *group_again(const struct summary *rows, size_t count)
{
	cleanup_free int64_t *tasks = calloc(count + 1, sizeof(*tasks));
	char *text = NULL;
	size_t used = 0, length;
	FILE *out;

	for (size_t i = 0; tasks && i < count; i++)
		if (rows[i].task >= 0 && summary_failed(&rows[i]))
			tasks[used++] = rows[i].task;
	out = used ? open_memstream(&text, &length) : NULL;
	if (!out)
		return NULL;
	qsort(tasks, used, sizeof(*tasks), compare);
	write_ranges(out, tasks, used);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
