/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the cores of a set of CPUs, with hwloc. */
#ifndef STINT_TOPOLOGY_H
#define STINT_TOPOLOGY_H

#include "common/error.h"

struct topology_core {
	unsigned int core;    /* OS index, as in the kernel's core_id */
	unsigned int package; /* OS index of the package (socket) */
	unsigned int pu_count;
	unsigned int pus[16]; /* OS indexes of the core's CPUs in the set */
};

struct topology;

/* Returns NULL with @err set if hwloc cannot read the topology. */
struct topology *topology_open(struct error *err);

/*
 * Calls @take for each core with a CPU in @cpu_list ("0-3,8"), in the machine's order.
 * If @take is NULL, only counts. Returns the number of CPUs in @cpu_list; -1 with @err set.
 */
int topology_cores(struct topology *topology, const char *cpu_list,
		   void (*take)(const struct topology_core *core, void *data), void *data, struct error *err);

void topology_close(struct topology *topology);

#endif
