/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cores of this machine that a set of CPUs belongs to. Uses hwloc.
 */
#ifndef STINT_TOPOLOGY_H
#define STINT_TOPOLOGY_H

#include "common/error.h"

struct topology_core {
	unsigned int core;    /* OS index of the core, as in the kernel's core_id */
	unsigned int package; /* OS index of the core's package (socket) */
	unsigned int pu_count;
	unsigned int pus[16]; /* OS indexes of the core's processing units that are in the set of CPUs; SMT has at most 8 today */
};

struct topology;

/* Reads the machine's topology. Returns NULL with @err set if hwloc cannot read it. */
struct topology *topology_open(struct error *err);

/*
 * Calls @take for each core that has a processing unit in @cpu_list ("0-3,8"), in the machine's order. Returns the
 * number of processing units in @cpu_list; -1 with @err set.
 */
int topology_cores(struct topology *topology, const char *cpu_list,
		   void (*take)(const struct topology_core *core, void *data), void *data, struct error *err);

void topology_close(struct topology *topology);

#endif
