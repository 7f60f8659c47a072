/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stint-gpu read about the node's GPUs while a job ran. */
#ifndef STINT_JOB_GPUS_H
#define STINT_JOB_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/gpu/gpu_protocol.h"

#define JOB_GPU_PROCESSES_MAX 32 /* of a GPU */
#define JOB_GPU_SHARES 4 /* GPU_BUSY to GPU_BANDWIDTH */

/* A share, added up over time. */
struct gpu_use {
	uint64_t known_us; /* time for which the share is known; 0: see why */
	uint64_t covered_us; /* of it: covered by counters or samples */
	uint64_t counted_us; /* of it: by counters */
	uint64_t busy; /* sum of share (in millionths) times microseconds */
	uint32_t why; /* enum gpu_why of the last reading that was absent */
};

struct gpu_counter {
	bool known;
	uint32_t why; /* if not known */
	uint64_t first, last;
	uint64_t first_ns, last_ns; /* CLOCK_BOOTTIME */
};

/* A process of the job on a GPU. */
struct job_gpu_process {
	uint32_t pid;
	uint64_t first_ns, last_ns; /* CLOCK_BOOTTIME when it was seen */
	uint64_t peak_bytes;
	bool peak_known;
};

struct job_gpu {
	struct gpu_device device;
	uint64_t first_ns, last_ns; /* CLOCK_BOOTTIME of the readings */
	uint64_t readings;
	bool used; /* a process of the job was on it */
	bool others; /* a process that is not known to be the job's was on it */
	struct gpu_use shares[JOB_GPU_SHARES]; /* by enum gpu_value */
	uint64_t idle_us; /* time of the last readings in a row in which nothing ran on it */
	uint64_t listed_us; /* time of the readings in which each process on it was that of a known job */
	struct gpu_number total, peak; /* memory in bytes; peak: of all processes, the job's or not */
	struct gpu_number job_peak; /* of the job's processes at one moment */
	struct gpu_counter energy; /* mJ */
	struct gpu_number xids;
	struct gpu_xid xid[GPU_XIDS_MAX];
	uint64_t throttle_known_us, heat_us, power_us;
	uint32_t throttle_why;
	struct job_gpu_process processes[JOB_GPU_PROCESSES_MAX];
	uint32_t process_count;
	uint64_t processes_lost; /* without room above: the most in one sample */
	uint64_t junk;
};

/* Must be all zero at first. */
struct job_gpus {
	struct job_gpu *gpus;
	uint32_t count;
	uint64_t lost; /* readings without memory for them */
	bool watched; /* the node has GPUs */
	bool shared; /* another job was on the node */
	char *why; /* why samples are missing; NULL: none are */
};

/*
 * Adds a sample of @device.
 *
 * @since_ns: CLOCK_BOOTTIME of the job's begin; nothing before it counts
 * @owned: for each process of @sample whether it is the job's
 * @known: each process of @sample is that of a known job
 */
void job_gpus_add(struct job_gpus *gpus, const struct gpu_device *device, const struct gpu_sample *sample,
		  uint64_t since_ns, const bool owned[GPU_PROCESSES_MAX], bool known);

/* Returns the time in microseconds for which the processes on all GPUs of the node were known. */
uint64_t job_gpus_listed_us(const struct job_gpus *gpus);

/* Notes why samples are missing. Only the last reason is kept. Without memory, the former one stays. */
void job_gpus_miss(struct job_gpus *gpus, const char *why);

void job_gpus_free(struct job_gpus *gpus);

#endif
