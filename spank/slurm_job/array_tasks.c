/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/array_tasks.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE 64
#define RANGE_TEXT 24
#define BITS 4 /* tasks of one hexadecimal digit */

/* @digits are hexadecimal. The last of the @count digits stands for the first tasks. */
static bool waits(const char *digits, size_t count, size_t task)
{
	const char digit[] = { digits[count - 1 - task / BITS], '\0' };

	return strtoul(digit, NULL, 16) >> task % BITS & 1;
}

char *array_tasks_text(const char *text)
{
	char tasks[TEXT_SIZE] = "", range[RANGE_TEXT];
	size_t count, used = 0, end;

	if (!text || strncmp(text, "0x", 2) != 0)
		return text && *text ? strdup(text) : NULL;
	text += 2;
	count = strlen(text);
	for (size_t task = 0; task < BITS * count; task = end + 1) {
		end = task;
		if (!waits(text, count, task))
			continue;
		while (end + 1 < BITS * count && waits(text, count, end + 1))
			end++;
		snprintf(range, sizeof(range), end > task ? "%s%zu-%zu" : "%s%zu", used ? "," : "", task, end);
		if (used + strlen(range) + sizeof(",...") > sizeof(tasks)) {
			strcpy(tasks + used, ",...");
			break;
		}
		used += strlen(strcpy(tasks + used, range));
	}
	return *tasks ? strdup(tasks) : NULL;
}
