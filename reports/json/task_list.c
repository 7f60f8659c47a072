/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/task_list.h"

#include <stdlib.h>

struct range {
	int64_t first, last, step;
};

/*
 * Reads the next range, and moves *@at behind it.
 * Returns 1; 0 at the end of the list; -1 at the place where Slurm has cut the list.
 */
static int next_range(const char **at, struct range *range)
{
	char *end;

	if (!**at || **at == '%')
		return 0;
	if (**at < '0' || **at > '9')
		return -1;
	range->first = range->last = strtoll(*at, &end, 10);
	range->step = 1;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		range->last = strtoll(end + 1, &end, 10);
	if (*end == ':' && end[1] >= '1' && end[1] <= '9')
		range->step = strtoll(end + 1, &end, 10);
	if (range->last > INT32_MAX) /* no array has a higher task number */
		range->last = INT32_MAX;
	*at = end + (*end == ',');
	return 1;
}

bool task_list_has(const char *tasks, int64_t task)
{
	struct range range;
	int more;

	while ((more = next_range(&tasks, &range)) > 0)
		if (task >= range.first && task <= range.last && (task - range.first) % range.step == 0)
			return true;
	return more < 0;
}

int64_t task_list_count(const char *tasks)
{
	struct range range;
	int64_t count = 0;

	while (next_range(&tasks, &range) > 0)
		if (range.last >= range.first && count < INT32_MAX)
			count += (range.last - range.first) / range.step + 1;
	return count;
}
