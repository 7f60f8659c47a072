/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/process/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/process/child.h"

#define END_MS 10000 /* the longest wait in milliseconds until a killed program has ended */

struct output {
	int fd;
	char *data; /* has room for room + 1 bytes */
	size_t used, room, max;
	bool too_long, no_memory;
};

/* Makes room for @more bytes in @output, or for fewer if the output would exceed output->max. Returns false if out of memory. */
static bool grow(struct output *output, size_t more)
{
	size_t room = output->room ? output->room : 4096;
	char *data;

	while (room < output->used + more)
		room *= 2;
	room = room < output->max ? room : output->max;
	if (room == output->room)
		return true;
	data = realloc(output->data, room + 1);
	if (!data) {
		output->no_memory = true;
		return false;
	}
	output->data = data;
	output->room = room;
	return true;
}

/* Reads the data that is available. At the end of the output, closes the descriptor. */
static void read_some(struct output *output)
{
	char buffer[4096];
	ssize_t n = read(output->fd, buffer, sizeof(buffer));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close(output->fd);
		output->fd = -1;
		return;
	}
	if ((size_t)n > output->max - output->used) {
		output->too_long = true;
		n = output->max - output->used;
	}
	if (!grow(output, n))
		return;
	memcpy(output->data + output->used, buffer, n);
	output->used += n;
}

/* Reads both outputs until both have ended. Returns false if @deadline_ms comes first. */
static bool read_both(struct output outputs[2], int64_t deadline_ms)
{
	while (outputs[0].fd >= 0 || outputs[1].fd >= 0) {
		struct pollfd fds[2] = { { outputs[0].fd, POLLIN, 0 }, { outputs[1].fd, POLLIN, 0 } };
		int64_t left = deadline_ms - clock_ms();

		if (left <= 0)
			return false;
		if (poll(fds, 2, (int)left) < 0 && errno != EINTR)
			return false;
		for (int i = 0; i < 2; i++)
			if (outputs[i].fd >= 0 && fds[i].revents)
				read_some(&outputs[i]);
	}
	return true;
}

/*
 * Waits for the end of @pid, unless @in_time is false. If the process does not end by @deadline_ms, kills it. Returns
 * whether it ended by itself.
 */
static bool reap(pid_t pid, int64_t deadline_ms, bool in_time, int *status)
{
	int64_t left_ms = deadline_ms - clock_ms();

	if (in_time && child_wait(pid, left_ms > 0 ? (int)left_ms : 0, status))
		return true;
	child_end(pid, END_MS);
	return false;
}

/* Returns 0 if the program ended in time with exit code 0, and its output was not too long; otherwise -1 with @err set. */
static int check_end(const char *name, const struct output outputs[2], bool in_time, int status, struct error *err)
{
	if (!in_time)
		return error_set(err, "%s: no answer in time", name);
	if (outputs[0].too_long)
		return error_set(err, "%s: its answer is longer than %zu bytes", name, outputs[0].max);
	if (outputs[0].no_memory || outputs[1].no_memory)
		return error_set(err, "%s: out of memory for its answer", name);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	outputs[1].data[strcspn(outputs[1].data, "\n")] = '\0';
	if (outputs[1].data[0])
		return error_set(err, "%s", outputs[1].data);
	if (WIFSIGNALED(status))
		return error_set(err, "%s: killed by signal %d", name, WTERMSIG(status));
	return error_set(err, "%s: exit code %d", name, WEXITSTATUS(status));
}

/*
 * Returns the descriptor of a file in memory that contains @text; -1 with errno set. A file is better than a pipe,
 * because writing to a pipe would block us if the program did not read it.
 */
static int file_of(const char *text)
{
	size_t length = strlen(text);
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || (write(fd, text, length) == (ssize_t)length && lseek(fd, 0, SEEK_SET) == 0))
		return fd;
	close(fd);
	return -1;
}

/* Closes those descriptors of the two outputs that are still open, and frees the memory of both. */
static void put_away(struct output (*outputs)[2])
{
	for (int i = 0; i < 2; i++) {
		if ((*outputs)[i].fd >= 0)
			close((*outputs)[i].fd);
		free((*outputs)[i].data);
	}
}

/*
 * Starts the program @argv, with pipes for @outputs. Its standard input is @in, or empty if @in is negative. Returns
 * 0 with @pid set; -1 with errno set.
 */
static int start_with_pipes(const char *const argv[], int in, struct output outputs[2], pid_t *pid)
{
	cleanup_close int out = -1, error_out = -1;
	int ends[2];

	if (!grow(&outputs[0], 1) || !grow(&outputs[1], 1)) {
		errno = ENOMEM;
		return -1;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	outputs[0].fd = ends[0];
	out = ends[1];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	outputs[1].fd = ends[0];
	error_out = ends[1];
	*pid = child_start(argv, NULL, &(struct child_files){ in < 0 ? CHILD_NULL : in, out, error_out });
	return *pid < 0 ? -1 : 0;
}

char *subprocess_answer(const char *const argv[], const char *input, unsigned int wait_ms, size_t max, size_t *len,
			struct error *err)
{
	__attribute__((cleanup(put_away))) struct output outputs[2] = { { .fd = -1, .max = max },
									{ .fd = -1, .max = sizeof(err->text) - 1 } };
	cleanup_close int in = input ? file_of(input) : -1;
	int64_t deadline_ms = clock_ms() + wait_ms;
	int status = 0;
	char *result;
	bool in_time;
	pid_t pid;

	if ((input && in < 0) || start_with_pipes(argv, in, outputs, &pid) < 0) {
		error_errno(err, "%s", argv[0]);
		return NULL;
	}
	in_time = read_both(outputs, deadline_ms);
	in_time = reap(pid, deadline_ms, in_time, &status);
	for (int i = 0; i < 2; i++)
		outputs[i].data[outputs[i].used] = '\0';
	if (check_end(argv[0], outputs, in_time, status, err) < 0)
		return NULL;
	if (len)
		*len = outputs[0].used;
	result = outputs[0].data;
	outputs[0].data = NULL;
	return result;
}

char *subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len, struct error *err)
{
	return subprocess_answer(argv, NULL, wait_ms, max, len, err);
}
