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

#define END_MS 10000 /* longest wait for a killed program */

struct output {
	int fd;
	char *data; /* has room + 1 bytes */
	size_t used, room, max;
	bool too_long, no_memory;
};

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

static bool reap(pid_t pid, int64_t deadline_ms, bool in_time, int *status)
{
	int64_t left_ms = deadline_ms - clock_ms();

	if (in_time && child_wait(pid, left_ms > 0 ? (int)left_ms : 0, status))
		return true;
	child_end(pid, END_MS);
	return false;
}

/* Returns 0 if the program ended in time with exit code 0, and its output is not too long; -1 with @err set. */
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

/* Returns a file in memory with @text; -1 with errno set. A write to a pipe could block this process. */
static int file_of(const char *text)
{
	size_t length = strlen(text);
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || (write(fd, text, length) == (ssize_t)length && lseek(fd, 0, SEEK_SET) == 0))
		return fd;
	close(fd);
	return -1;
}

static void put_away(struct output (*outputs)[2])
{
	for (int i = 0; i < 2; i++) {
		if ((*outputs)[i].fd >= 0)
			close((*outputs)[i].fd);
		free((*outputs)[i].data);
	}
}

/*
 * @in: standard input; below 0: empty
 *
 * Returns 0 with @pid set; -1 with errno set.
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
