/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/gpu_source.h"

#include <dlfcn.h>
#include <string.h>

#define PID_MOST (4 * 1024 * 1024) /* PID_MAX_LIMIT of include/linux/threads.h */
#define PERCENT_ROUNDED 100.5 /* counters that are read one after the other can give a little more than 100 */

void *gpu_library_open(const char *const names[])
{
	void *library = NULL;

	for (int i = 0; names[i] && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

void gpu_library_find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
}

void gpu_text_copy(char *to, size_t size, const char *text)
{
	size_t i;

	for (i = 0; i + 1 < size && text[i]; i++)
		to[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	to[i] = '\0';
}

struct gpu_number gpu_percent(double percent)
{
	if (!(percent >= 0 && percent <= PERCENT_ROUNDED)) /* NaN, too */
		return gpu_absent(GPU_WHY_JUNK);
	return gpu_known(percent >= 100 ? GPU_SHARE_ALL : (uint64_t)(percent * (GPU_SHARE_ALL / 100) + 0.5));
}

void gpu_sample_add_process(struct gpu_sample *sample, uint32_t pid, struct gpu_number memory)
{
	if (pid == 0 || pid > PID_MOST) {
		sample->junk++;
		return;
	}
	if (sample->processes == GPU_PROCESSES_MAX) {
		sample->processes_lost++;
		return;
	}
	sample->process[sample->processes++] = (struct gpu_process){ .pid = pid, .memory = memory };
}

struct gpu_number gpu_bytes(uint64_t bytes, const struct gpu_number *total)
{
	uint64_t most;

	if (bytes > INT64_MAX || (gpu_number_get(total, &most) && bytes > most))
		return gpu_absent(GPU_WHY_JUNK);
	return gpu_known(bytes);
}
