/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/record_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 3 /* CLUSTER, NODE and JOB */

/* Returns false if there is no number, or if it exceeds @max. */
static bool read_number(const char **at, uint64_t max, uint64_t *number)
{
	char *end;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*number = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0 && *number <= max;
}

static bool skip(const char **at, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

bool record_name_read(const char *name, struct record_name *read)
{
	const char *at = name;
	uint64_t attempt, uid;

	for (int i = 0; i < PARTS && at; i++) {
		at = strchr(at, '.');
		if (at)
			at++;
	}
	if (!at || !read_number(&at, UINT32_MAX, &attempt))
		return false;
	read->job_length = (int)(at - name);
	if (!skip(&at, ".") || !read_number(&at, UINT64_MAX, &read->begin_s))
		return false;
	read->continues = skip(&at, RECORD_NAME_CONTINUES);
	if (!skip(&at, RECORD_NAME_USER) || !read_number(&at, UINT32_MAX - 1, &uid))
		return false;
	read->uid = (uint32_t)uid;
	return strcmp(at, RECORD_NAME_SUFFIX) == 0;
}

bool record_name_follows(const char *later, const char *former)
{
	struct record_name a, b;

	return record_name_read(later, &a) && a.continues && record_name_read(former, &b) && a.uid == b.uid &&
	       (a.begin_s > b.begin_s || (a.begin_s == b.begin_s && !b.continues)) && a.job_length == b.job_length &&
	       strncmp(later, former, a.job_length) == 0;
}

int record_name_order(const char *one, const char *other)
{
	struct record_name a, b;
	int order;

	if (!record_name_read(one, &a) || !record_name_read(other, &b) || a.job_length != b.job_length)
		return strcmp(one, other);
	order = strncmp(one, other, a.job_length);
	if (!order && a.begin_s != b.begin_s)
		order = a.begin_s < b.begin_s ? -1 : 1;
	return order ? order : a.continues - b.continues;
}
