/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the list of recently closed jobs, which is rewritten for each closed job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/journal/journal.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/frame.h"

#define CLOSED_FORM 0x3244534f4c43ull /* "CLOSD2", the first bytes of the file */

/* A job in the file. The node's name follows, without a NUL. */
struct kept {
	uint64_t close_ns;
	uint32_t job_id;
	uint16_t name_bytes;
	uint16_t no_epilog; /* 0 in old files */
};

static size_t put_all(const struct jobs *jobs, char *to)
{
	const uint64_t form = CLOSED_FORM;
	char *at = to;

	memcpy(at, &form, sizeof(form));
	at += sizeof(form);
	for (int i = 0; i < JOBS_CLOSED_MAX; i++) {
		const struct closed_job *closed = &jobs->closed[i];
		const struct kept kept = { closed->close_ns, closed->job_id,
					   strnlen(closed->node, sizeof(closed->node)), closed->no_epilog };

		if (!closed->close_ns)
			continue;
		memcpy(at, &kept, sizeof(kept));
		memcpy(at + sizeof(kept), closed->node, kept.name_bytes);
		at += sizeof(kept) + kept.name_bytes;
	}
	return at - to;
}

int journal_write_closed(int run_fd, const struct jobs *jobs, struct error *err)
{
	cleanup_free char *content =
		malloc(sizeof(uint64_t) + JOBS_CLOSED_MAX * (sizeof(struct kept) + sizeof(jobs->closed[0].node)));
	cleanup_free char *frame = NULL;
	size_t size;

	if (content)
		frame = frame_make(FRAME_CLOSED, content, put_all(jobs, content), &size);
	if (!frame)
		return error_set(err, JOURNAL_CLOSED ": out of memory");
	return file_write_volatile(run_fd, JOURNAL_CLOSED, 0600, frame, size, err);
}

static bool take_all(struct jobs *jobs, const char *from, size_t length)
{
	const char *end = from + length;
	int count = 0;

	for (from += sizeof(uint64_t); from < end; count++) {
		struct closed_job *closed = &jobs->closed[count];
		struct kept kept;

		if (count == JOBS_CLOSED_MAX || end - from < (ptrdiff_t)sizeof(kept))
			return false;
		memcpy(&kept, from, sizeof(kept));
		from += sizeof(kept);
		if (kept.name_bytes >= sizeof(closed->node) || end - from < (ptrdiff_t)kept.name_bytes)
			return false;
		closed->close_ns = kept.close_ns;
		closed->job_id = kept.job_id;
		closed->no_epilog = kept.no_epilog;
		memcpy(closed->node, from, kept.name_bytes);
		closed->node[kept.name_bytes] = '\0';
		from += kept.name_bytes;
	}
	return true;
}

static bool take_content(struct jobs *jobs, const char *content, size_t length)
{
	const uint64_t form = CLOSED_FORM;

	if (length >= sizeof(form) && memcmp(content, &form, sizeof(form)) == 0) {
		if (take_all(jobs, content, length))
			return true;
		memset(jobs->closed, 0, sizeof(jobs->closed));
		return false;
	}
	if (length != sizeof(jobs->closed))
		return false;
	memcpy(jobs->closed, content, length); /* old files copy the array */
	return true;
}

int journal_read_closed(int run_fd, struct jobs *jobs, struct error *err)
{
	size_t size, length = 0;
	cleanup_free char *frame = file_read(run_fd, JOURNAL_CLOSED, 2 * sizeof(jobs->closed), &size, err);
	const char *content;

	if (!frame)
		return errno == ENOENT ? 0 : -1;
	content = frame_content(frame, size, FRAME_CLOSED, JOURNAL_CLOSED, &length, err);
	if (!content)
		return -1;
	if (!take_content(jobs, content, length))
		return error_set(err, JOURNAL_CLOSED ": another version of stint wrote it");
	/* The next closed job replaces the oldest one. */
	for (unsigned int i = 1; i < JOBS_CLOSED_MAX; i++)
		if (jobs->closed[i].close_ns < jobs->closed[jobs->closed_next].close_ns)
			jobs->closed_next = i;
	return 0;
}
