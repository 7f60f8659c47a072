/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/record_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

#define PARTS 3 /* before the attempt: CLUSTER.NODE.JOB */
#define CHAIN_MAX 1024 /* of one job, of which each took some minutes at least */

/* Reads a whole number at *@at, and moves that behind it. Returns false where there is none. */
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
		at += at != NULL;
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
	       a.begin_s > b.begin_s && a.job_length == b.job_length && strncmp(later, former, a.job_length) == 0;
}

static int by_begin(const void *left, const void *right)
{
	struct record_name a, b;

	if (!record_name_read(left, &a) || !record_name_read(right, &b) || a.begin_s == b.begin_s)
		return 0;
	return a.begin_s < b.begin_s ? -1 : 1;
}

static bool add(struct record_chain *chain, const char *name)
{
	void *names = chain->count < CHAIN_MAX && strlen(name) < sizeof(*chain->names) ?
			      realloc(chain->names, (chain->count + 1) * sizeof(*chain->names)) :
			      NULL;

	if (!names)
		return false;
	chain->names = names;
	strcpy(chain->names[chain->count++], name);
	return true;
}

/* Leaves only the names from the latest one on that goes on from none. */
static void cut(struct record_chain *chain)
{
	struct record_name read;
	int first = chain->count;

	qsort(chain->names, chain->count, sizeof(*chain->names), by_begin);
	while (first > 0 && record_name_read(chain->names[--first], &read) && read.continues)
		;
	chain->count -= first;
	memmove(chain->names, chain->names + first, chain->count * sizeof(*chain->names));
}

struct record_chain record_chain_find(int dirfd, const char *name)
{
	cleanup_close int own = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct file_names names = { .fd = own };
	struct record_chain chain = { 0 };
	const char *each;

	while (own >= 0 && (each = file_names_next(&names)))
		if (record_name_follows(name, each) && !add(&chain, each))
			break;
	if (chain.count)
		cut(&chain);
	return chain;
}

void record_chain_free(struct record_chain *chain)
{
	free(chain->names);
	*chain = (struct record_chain){ 0 };
}
