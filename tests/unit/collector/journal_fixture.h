/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A journal in the test's own directory, and its contents. Include it after cmocka.h. */
#ifndef STINT_JOURNAL_FIXTURE_H
#define STINT_JOURNAL_FIXTURE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/journal/journal.h"

static char run_dir[64];
static int run_fd;
static int bad_count;
static char bad_why[256];
static int seen_count;
static uint32_t seen_steps[16];

static inline int set_up(void **state)
{
	(void)state;
	strcpy(run_dir, "/tmp/stint-keep-XXXXXX");
	if (!mkdtemp(run_dir))
		return -1;
	run_fd = open(run_dir, O_RDONLY | O_DIRECTORY);
	bad_count = seen_count = 0;
	return journal_prepare(run_fd, NULL);
}

static inline int tear_down(void **state)
{
	char command[128];

	(void)state;
	close(run_fd);
	snprintf(command, sizeof(command), "rm -r %s", run_dir);
	return system(command);
}

static inline void bad(const char *name, const char *why, void *data)
{
	(void)data;
	assert_memory_equal(why, name, strlen(name));
	snprintf(bad_why, sizeof(bad_why), "%s", why + strlen(name));
	bad_count++;
}

static inline void take_note(const struct control_message *message, void *data)
{
	(void)data;
	seen_steps[seen_count++] = message->step_id;
}

static inline struct control_message open_of(uint32_t job, uint32_t step, uint64_t sent_ns)
{
	struct control_message message = {
		.magic = CONTROL_MAGIC,
		.version = CONTROL_VERSION,
		.kind = CONTROL_OPEN,
		.size = sizeof(message),
		.sent_ns = sent_ns,
		.job_id = job,
		.step_id = step,
		.node = "n1",
	};

	return message;
}

static inline void keep_step(uint32_t job, uint32_t step, uint64_t sent_ns)
{
	struct journal_message kept = { .message = open_of(job, step, sent_ns) };

	assert_int_equal(journal_write(run_fd, &kept, NULL), 0);
}

static inline void write_file(const char *name, const void *data, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", run_dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	fclose(file);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
