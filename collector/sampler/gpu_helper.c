/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/sampler/gpu_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process/child.h"

#define SECOND_NS 1000000000ull
#define SILENT_NS (20 * SECOND_NS) /* a library can take seconds to load */
#define PAUSE_NS (5 * SECOND_NS)
#define PAUSES_MAX 7 /* doublings: 640 s */
#define PIPE_BYTES (1 << 20)
#define READS_MAX 256 /* in a call: 1 MiB */

#define EXIT_NO_GPUS 3

static void close_files(struct gpu_helper *helper)
{
	close(helper->in_fd);
	close(helper->out_fd);
	helper->fill = 0;
}

/* Kills the helper at once: while it lives, the GPUs' devices are open. */
static void stop(struct gpu_helper *helper, const char *why)
{
	if (!helper->pid || helper->stopping)
		return;
	snprintf(helper->why, sizeof(helper->why), "%s", why);
	close_files(helper);
	helper->stopping = true;
	kill(helper->pid, SIGKILL);
}

bool gpu_helper_is_divided(const struct gpu_helper *helper, const struct gpu_device *device)
{
	for (uint32_t i = 0; i < helper->devices_known; i++)
		if (helper->devices[i].card == device->gpu)
			return true;
	return false;
}

void gpu_helper_stop(struct gpu_helper *helper)
{
	stop(helper, "");
}

static void fail_later(struct gpu_helper *helper, uint64_t now)
{
	helper->next_ns = now + (PAUSE_NS << (helper->failures < PAUSES_MAX ? helper->failures : PAUSES_MAX));
	helper->failures++;
}

static int open_pipes(int in[2], int out[2])
{
	if (pipe2(in, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return -1;
	}
	fcntl(out[0], F_SETFL, O_NONBLOCK); /* of stintd's end: each end has its own flags */
	fcntl(out[1], F_SETPIPE_SZ, PIPE_BYTES); /* or it stays smaller */
	return 0;
}

static void start(struct gpu_helper *helper, uint64_t now)
{
	const char *arguments[] = { helper->program, NULL };
	int in[2], out[2];

	if (open_pipes(in, out) < 0) {
		snprintf(helper->why, sizeof(helper->why), "stint-gpu could not be started: %s", strerror(errno));
		fail_later(helper, now);
		return;
	}
	helper->pid = child_start(arguments, NULL, &(struct child_files){ in[0], out[1], CHILD_NULL });
	if (helper->pid < 0)
		snprintf(helper->why, sizeof(helper->why), "stint-gpu could not be started: %s", strerror(errno));
	close(in[0]);
	close(out[1]);
	helper->in_fd = in[1];
	helper->out_fd = out[0];
	if (helper->pid < 0) {
		close_files(helper);
		helper->pid = 0;
		fail_later(helper, now);
		return;
	}
	helper->stopping = false;
	helper->why[0] = '\0';
	helper->fill = 0;
	helper->devices_known = 0;
	helper->heard_ns = now;
}

/* Returns false if the message does not fit to the earlier ones. */
static bool take_message(struct gpu_helper *helper, const void *message, gpu_helper_take *take, void *data)
{
	const struct gpu_device *device = message;
	const struct gpu_sample *sample = message;

	switch (((const struct gpu_header *)message)->kind) {
	case GPU_DEVICE:
		if (device->gpu != helper->devices_known)
			return false;
		helper->devices[helper->devices_known++] = *device;
		return true;
	case GPU_SAMPLE:
		if (sample->gpu >= helper->devices_known)
			return false;
		take(&helper->devices[sample->gpu], sample, data);
		return true;
	case GPU_ROUND:
		helper->failures = 0;
		helper->why[0] = '\0';
	}
	return true;
}

/* Returns false if a message is not valid. */
static bool take_messages(struct gpu_helper *helper, uint64_t now, gpu_helper_take *take, void *data)
{
	struct gpu_header header;
	size_t at = 0;

	while (helper->fill - at >= sizeof(header)) {
		memcpy(&header, helper->buffer + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > GPU_MESSAGE_MAX || header.size % 8)
			return false;
		if (header.size > helper->fill - at)
			break;
		if (!gpu_message_is_valid(helper->buffer + at, header.size) ||
		    !take_message(helper, helper->buffer + at, take, data))
			return false;
		helper->heard_ns = now;
		at += header.size;
	}
	memmove(helper->buffer, helper->buffer + at, helper->fill - at);
	helper->fill -= at;
	return true;
}

static void read_messages(struct gpu_helper *helper, uint64_t now, gpu_helper_take *take, void *data)
{
	ssize_t count;

	for (int i = 0; i < READS_MAX; i++) {
		count = read(helper->out_fd, helper->buffer + helper->fill, sizeof(helper->buffer) - helper->fill);
		if (count <= 0)
			return;
		helper->fill += count;
		if (!take_messages(helper, now, take, data)) {
			stop(helper, "stint-gpu wrote what is no message");
			return;
		}
	}
}

void gpu_helper_tick(struct gpu_helper *helper, bool wanted, gpu_helper_take *take, void *data)
{
	uint64_t now = clock_ns(CLOCK_BOOTTIME);

	if (!helper->pid && wanted && now >= helper->next_ns)
		start(helper, now);
	if (!helper->pid || helper->stopping)
		return;
	read_messages(helper, now, take, data);
	if (!wanted)
		gpu_helper_stop(helper);
	else if (now - helper->heard_ns > SILENT_NS)
		stop(helper, "the vendor's library did not answer");
}

static void say_why(struct gpu_helper *helper, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_GPUS)
		snprintf(helper->why, sizeof(helper->why),
			 "the vendor's library shows no GPU (stint-gpu --list says why)");
	else if (WIFSIGNALED(status))
		snprintf(helper->why, sizeof(helper->why), "stint-gpu was ended by signal %d", WTERMSIG(status));
	else
		snprintf(helper->why, sizeof(helper->why), "stint-gpu ended with status %d", WEXITSTATUS(status));
}

bool gpu_helper_ended(struct gpu_helper *helper, int pid, int status)
{
	bool asked = helper->stopping && !helper->why[0];

	if (!helper->pid || pid != helper->pid)
		return false;
	if (!helper->stopping) {
		close_files(helper);
		say_why(helper, status);
	}
	helper->pid = 0;
	helper->stopping = false;
	if (!asked)
		fail_later(helper, clock_ns(CLOCK_BOOTTIME));
	return true;
}
