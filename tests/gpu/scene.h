/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a vendor's library that is made up says. The file that FAKE_GPU names has a line for each fact, and is read again
 * while the test changes it:
 *
 *   gpus COUNT             GPUs; numbers of GPUs start with 0
 *   counters 0             the GPUs have no GPM counters
 *   slices GPU COUNT       MIG slices; a slice has the facts of its GPU
 *   busy GPU PERCENT       also SMs; tensor units half, bandwidth a quarter of it
 *   memory GPU BYTES       used, of 80 GiB
 *   energy GPU MJ          the counter; it grows by 1000 mJ with each reading
 *   minor GPU NUMBER
 *   process GPU PID BYTES  BYTES -1: not available
 *   throttle GPU REASONS   NVIDIA's bits
 *   xid GPU NUMBER         happens once
 *   answer CALL STATUS     the call returns this status
 *   hang CALL              the call never returns
 *   junk CALL              the call answers what cannot be
 *
 * CALL is the function's name without the vendor's prefix.
 */
#ifndef TESTS_GPU_SCENE_H
#define TESTS_GPU_SCENE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SCENE_GPUS 16
#define SCENE_LIST 64
#define SCENE_TOTAL (80ull << 30)

struct scene_gpu {
	unsigned int slices, minor;
	double busy;
	uint64_t memory, energy, throttle;
};

struct scene_call {
	char what[8]; /* answer, hang, junk */
	char call[64];
	unsigned int status;
};

static struct {
	unsigned int gpus, counters;
	struct scene_gpu gpu[SCENE_GPUS];
	struct {
		unsigned int gpu, pid;
		uint64_t bytes;
	} process[SCENE_LIST];
	unsigned int processes;
	struct {
		unsigned int gpu, number;
	} xid[SCENE_LIST];
	unsigned int xids;
	struct scene_call call[SCENE_LIST];
	unsigned int calls;
	uint64_t read_ns;
} scene;

static uint64_t scene_now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void scene_line(const char *line)
{
	unsigned int gpu = 0, number = 0;
	char what[16] = "", word[64] = "";
	long long value = 0;
	double share;

	if (sscanf(line, "gpus %u", &scene.gpus) == 1 || sscanf(line, "counters %u", &scene.counters) == 1)
		return;
	if (sscanf(line, "%15s %63s %u", what, word, &number) >= 2 &&
	    (!strcmp(what, "answer") || !strcmp(what, "hang") || !strcmp(what, "junk"))) {
		struct scene_call *call = &scene.call[scene.calls++];

		snprintf(call->what, sizeof(call->what), "%.7s", what);
		memcpy(call->call, word, sizeof(word));
		call->status = number;
		return;
	}
	if (sscanf(line, "process %u %u %lld", &gpu, &number, &value) == 3) {
		scene.process[scene.processes].gpu = gpu;
		scene.process[scene.processes].pid = number;
		scene.process[scene.processes++].bytes = (uint64_t)value;
	} else if (sscanf(line, "xid %u %u", &gpu, &number) == 2) {
		scene.xid[scene.xids].gpu = gpu;
		scene.xid[scene.xids++].number = number;
	} else if (sscanf(line, "busy %u %lf", &gpu, &share) == 2) {
		scene.gpu[gpu].busy = share;
	} else if (sscanf(line, "%15s %u %lld", what, &gpu, &value) == 3) {
		if (!strcmp(what, "slices"))
			scene.gpu[gpu].slices = (unsigned int)value;
		else if (!strcmp(what, "minor"))
			scene.gpu[gpu].minor = (unsigned int)value;
		else if (!strcmp(what, "memory"))
			scene.gpu[gpu].memory = (uint64_t)value;
		else if (!strcmp(what, "energy") && !scene.gpu[gpu].energy)
			scene.gpu[gpu].energy = (uint64_t)value;
		else if (!strcmp(what, "throttle"))
			scene.gpu[gpu].throttle = (uint64_t)value;
	}
}

/* Reads the file again if it was read more than 50 ms ago. */
static void scene_read(void)
{
	uint64_t now = scene_now_ns(CLOCK_MONOTONIC);
	const char *path = getenv("FAKE_GPU");
	char line[256];
	FILE *file;

	if (!path || (scene.read_ns && now - scene.read_ns < 50000000))
		return;
	file = fopen(path, "re");
	if (!file)
		return;
	scene.read_ns = now;
	scene.counters = 1;
	scene.processes = scene.xids = scene.calls = 0;
	for (unsigned int i = 0; i < SCENE_GPUS; i++)
		scene.gpu[i] = (struct scene_gpu){ .minor = i, .energy = scene.gpu[i].energy };
	while (fgets(line, sizeof(line), file))
		scene_line(line);
	fclose(file);
}

/* Sets @status and returns true if the scene has an answer for @call. Never returns if it hangs. */
static bool scene_answers(const char *call, uint32_t *status)
{
	scene_read();
	for (unsigned int i = 0; i < scene.calls; i++) {
		if (strcmp(scene.call[i].call, call) != 0)
			continue;
		while (!strcmp(scene.call[i].what, "hang"))
			pause();
		*status = scene.call[i].status;
		if (!strcmp(scene.call[i].what, "answer"))
			return true;
	}
	return false;
}

static bool scene_junk(const char *call)
{
	for (unsigned int i = 0; i < scene.calls; i++)
		if (!strcmp(scene.call[i].what, "junk") && !strcmp(scene.call[i].call, call))
			return true;
	return false;
}

#endif
