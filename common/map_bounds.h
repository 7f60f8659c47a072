/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the kernel programs' maps that can become full. stint.conf can limit each of these maps. */
#ifndef STINT_MAP_BOUNDS_H
#define STINT_MAP_BOUNDS_H

/*
 * Each map, and the largest number of entries that stint.conf may set.
 *
 * For "events", the number is in bytes. "slots" is no map, but the limit of all maps that are arrays.
 */
#define BOUNDED_MAPS(X)              \
	X(job_cgroups, 1048576)      \
	X(totals, 1048576)           \
	X(memory_cgroups, 1048576)   \
	X(tools, 1048576)            \
	X(processes, 1048576)        \
	X(process_uses, 1048576)     \
	X(file_systems, 1048576)     \
	X(files, 1048576)            \
	X(events, 268435456)         \
	X(slots, 1023)

enum bounded_map {
#define BOUNDED_MAP_ENUM(name, most) BOUNDED_##name,
	BOUNDED_MAPS(BOUNDED_MAP_ENUM)
#undef BOUNDED_MAP_ENUM
	BOUNDED_MAP_COUNT
};

#endif
