/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs stint-gpu while it is wanted, and reads its messages.
 *
 * A stint-gpu that dies, hangs or writes what is no message is killed, and another one is started later: after 5 s,
 * then 10 s, 20 s... up to 10 minutes. Never waits: a process that hangs in the kernel is left alone until it ends, and
 * until then there is no other one.
 */
#ifndef STINT_GPU_HELPER_H
#define STINT_GPU_HELPER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/gpu/gpu_protocol.h"

/* Must be all zero at first, but for program. */
struct gpu_helper {
	char program[PATH_MAX + 32];
	int pid; /* 0: none */
	int in_fd, out_fd; /* its standard input and output; valid with pid and without stopping */
	bool stopping; /* it was killed, and its end was not seen yet */
	uint64_t heard_ns; /* CLOCK_BOOTTIME of its start, or of its last message */
	uint64_t next_ns; /* CLOCK_BOOTTIME when it may be started */
	unsigned int failures; /* since it last read all GPUs */
	char why[128]; /* why the last stint-gpu failed; empty: it did not, or another one began */
	struct gpu_device devices[GPU_MAX];
	uint32_t devices_known; /* the first ones of devices */
	size_t fill;
	_Alignas(8) char buffer[2 * GPU_MESSAGE_MAX];
};

/* Takes a sample. */
typedef void gpu_helper_take(const struct gpu_device *device, const struct gpu_sample *sample, void *data);

/*
 * Call about once a second. Starts or stops stint-gpu, and gives its samples to @take.
 *
 * @wanted: a job may use GPUs
 */
void gpu_helper_tick(struct gpu_helper *helper, bool wanted, gpu_helper_take *take, void *data);

/* Returns true if @device is a card that is divided into slices (MIG): each of them is a device of its own. */
bool gpu_helper_is_divided(const struct gpu_helper *helper, const struct gpu_device *device);

/* Kills stint-gpu, if it runs. Does not wait for its end. */
void gpu_helper_stop(struct gpu_helper *helper);

/* Handles the end of the child @pid. Returns false if it is another child. @status: wait status */
bool gpu_helper_ended(struct gpu_helper *helper, int pid, int status);

#endif
