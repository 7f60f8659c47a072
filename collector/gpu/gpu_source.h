/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a vendor's library says about its GPUs. One of these for each vendor: nvml.h, rsmi.h. */
#ifndef STINT_GPU_SOURCE_H
#define STINT_GPU_SOURCE_H

#include "collector/gpu/gpu_protocol.h"

/* The GPUs of all vendors. */
struct gpu_table {
	struct gpu_device devices[GPU_MAX];
	uint32_t count;
	uint32_t left_out; /* no room */
};

/* Returns the next device of @table with its number and @vendor set; NULL if the table is full. */
static inline struct gpu_device *gpu_table_add(struct gpu_table *table, enum gpu_vendor vendor)
{
	struct gpu_device *device;

	if (table->count == GPU_MAX) {
		table->left_out++;
		return NULL;
	}
	device = &table->devices[table->count];
	*device = (struct gpu_device){ .gpu = table->count++, .card = GPU_NONE, .vendor = vendor };
	return device;
}

/* Each function may hang, because a vendor's library may. */
struct gpu_source {
	/*
	 * Loads the library, and adds its GPUs to @table.
	 * Fills @library. Returns false if there are no GPUs to read.
	 */
	bool (*open)(struct gpu_table *table, struct gpu_library *library);

	/* Begins a round of readings. */
	void (*begin)(void);

	/*
	 * Reads one GPU. @sample: all zero but for gpu, from_ns (of the last sample) and to_ns (now); has room for
	 * GPU_PROCESSES_MAX processes.
	 */
	void (*read)(const struct gpu_device *device, struct gpu_sample *sample);
};

/*
 * Opens the first library of @names (NULL after the last) that exists. Returns NULL if there is none.
 */
void *gpu_library_open(const char *const names[]);

/* Sets *@function to the function @name of @library; NULL if it does not have it. */
void gpu_library_find(void *library, const char *name, void *function);

/* Copies @text, printable ASCII only, to @to: other bytes become '?'. */
void gpu_text_copy(char *to, size_t size, const char *text);

/* Returns the number for @percent: a share, or junk if it is no percentage. */
struct gpu_number gpu_percent(double percent);

/* Adds a process to @sample. Drops a pid that no process can have, and counts it as junk. */
void gpu_sample_add_process(struct gpu_sample *sample, uint32_t pid, struct gpu_number memory);

/* Returns the number for @bytes, junk if more than @total says (if it is known). */
struct gpu_number gpu_bytes(uint64_t bytes, const struct gpu_number *total);

#endif
