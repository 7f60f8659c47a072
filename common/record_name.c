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

static int by_name(const void *left, const void *right)
{
	return record_name_order(((const struct record_link *)left)->name, ((const struct record_link *)right)->name);
}

static bool add(struct record_chain *chain, const char *name, int place)
{
	struct record_link *links = NULL;

	if (chain->count < CHAIN_MAX && strlen(name) < sizeof(links->name))
		links = realloc(chain->links, (chain->count + 1) * sizeof(*links));
	if (!links)
		return false;
	chain->links = links;
	strcpy(links[chain->count].name, name);
	links[chain->count++].place = place;
	return true;
}

/* Leaves only the names from the latest one on that goes on from none. */
static void cut(struct record_chain *chain)
{
	struct record_name read;
	int first = chain->count;

	qsort(chain->links, chain->count, sizeof(*chain->links), by_name);
	while (first > 0 && record_name_read(chain->links[--first].name, &read) && read.continues)
		;
	chain->count -= first;
	memmove(chain->links, chain->links + first, chain->count * sizeof(*chain->links));
}

struct record_chain record_chain_find(const int places[RECORD_PLACES], const char *name)
{
	struct record_chain chain = { 0 };

	for (int i = 0; i < RECORD_PLACES; i++) {
		cleanup_close int own = places[i] < 0 ? -1 : openat(places[i], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct file_names names = { .fd = own };
		const char *each;

		while (own >= 0 && (each = file_names_next(&names)))
			if (record_name_follows(name, each) && !add(&chain, each, i))
				break;
	}
	if (chain.count)
		cut(&chain);
	return chain;
}

void record_chain_free(struct record_chain *chain)
{
	free(chain->links);
	*chain = (struct record_chain){ 0 };
}
