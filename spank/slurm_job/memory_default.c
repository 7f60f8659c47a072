/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/memory_default.h"

#include <stdbool.h>
#include <string.h>

#define LEAST_S 10

/* Slurm uses both 0 and NO_VAL64 for "not set". */
static bool is_set(uint64_t memory)
{
	return memory && memory != NO_VAL64;
}

/* Returns the partition's default memory in MiB; 0 if it has none. The flag MEM_PER_CPU shows memory per CPU. */
static uint64_t of_partition(const char *name)
{
	partition_info_msg_t *answer = NULL;
	uint64_t memory = 0;

	if (slurm_load_partitions(0, &answer, SHOW_ALL | SHOW_LOCAL) != SLURM_SUCCESS)
		return 0;
	for (uint32_t i = 0; i < answer->record_count; i++)
		if (answer->partition_array[i].name && strcmp(answer->partition_array[i].name, name) == 0)
			memory = answer->partition_array[i].def_mem_per_cpu;
	slurm_free_partition_info_msg(answer);
	return is_set(memory) ? memory : 0;
}

void memory_default_add(struct json_object *object, const job_info_t *job)
{
	uint64_t granted;

	if (job->pn_min_memory == NO_VAL64 || !(job->pn_min_memory & MEM_PER_CPU) || !job->partition ||
	    job->end_time - job->start_time < LEAST_S)
		return;
	granted = of_partition(job->partition);
	if (!granted)
		granted = compat_memory_per_cpu();
	if (granted == job->pn_min_memory)
		json_object_object_add(object, "memory_by_default", json_object_new_boolean(true));
}
