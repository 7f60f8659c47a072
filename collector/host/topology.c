/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/topology.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

struct topology {
	hwloc_topology_t hwloc;
};

#define PLUGINS "HWLOC_PLUGINS_PATH"

/*
 * hwloc's plugins for GPUs, screens and XML load libraries such as X11. Each fork of stintd would copy the mappings of
 * these libraries.
 */
static int load_without_plugins(hwloc_topology_t *topology)
{
	const char *set = getenv(PLUGINS);
	cleanup_free char *before = set ? strdup(set) : NULL;
	int status;

	setenv(PLUGINS, "/nonexistent", 1);
	status = hwloc_topology_init(topology);
	if (before)
		setenv(PLUGINS, before, 1);
	else
		unsetenv(PLUGINS);
	return status;
}

struct topology *topology_open(struct error *err)
{
	struct topology *topology = calloc(1, sizeof(*topology));

	if (!topology || load_without_plugins(&topology->hwloc) < 0) {
		free(topology);
		error_errno(err, "hwloc");
		return NULL;
	}
	/* The job may use CPUs that stintd may not use. */
	hwloc_topology_set_flags(topology->hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_all_types_filter(topology->hwloc, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topology->hwloc, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(topology->hwloc, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
	if (hwloc_topology_load(topology->hwloc) < 0) {
		error_errno(err, "hwloc");
		topology_close(topology);
		return NULL;
	}
	return topology;
}

static void take_core(hwloc_obj_t object, hwloc_const_cpuset_t set,
		      void (*take)(const struct topology_core *core, void *data), void *data)
{
	struct topology_core core = { .core = object->os_index };
	hwloc_obj_t package = object;
	int pu;

	while (package && package->type != HWLOC_OBJ_PACKAGE)
		package = package->parent;
	if (package)
		core.package = package->os_index;
	for (pu = hwloc_bitmap_first(object->cpuset); pu >= 0; pu = hwloc_bitmap_next(object->cpuset, pu))
		if (hwloc_bitmap_isset(set, pu) && core.pu_count < sizeof(core.pus) / sizeof(core.pus[0]))
			core.pus[core.pu_count++] = pu;
	if (core.pu_count)
		take(&core, data);
}

int topology_cores(struct topology *topology, const char *cpu_list,
		   void (*take)(const struct topology_core *core, void *data), void *data, struct error *err)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	hwloc_obj_t object = NULL;
	int count;

	if (!set)
		return error_errno(err, "hwloc");
	if (hwloc_bitmap_list_sscanf(set, cpu_list) < 0) {
		hwloc_bitmap_free(set);
		return error_set(err, "'%s' is not a list of processors", cpu_list);
	}
	while (take && (object = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_CORE, object)))
		take_core(object, set, take, data);
	count = hwloc_bitmap_weight(set);
	hwloc_bitmap_free(set);
	return count;
}

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	hwloc_topology_destroy(topology->hwloc);
	free(topology);
}
