/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two parts of programs_drain share: the change itself, and the maps that are turned into ours (_maps). */
#ifndef STINT_PROGRAMS_DRAIN_H
#define STINT_PROGRAMS_DRAIN_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "collector/programs_old.h"
#include "collector/programs_own.h"
#include "collector/translate.h"

struct former_bpf;

/* The maps that are taken over entry by entry. */
enum copied {
	C_TOTALS,
	C_JOB_CGROUPS,
	C_TOOLS,
	C_MEMORY_CGROUPS,
	C_FILE_SYSTEMS,
	C_FILES,
	C_PROCESSES,
	C_PROCESS_USES,
	C_PRESSURES,
	C_CPU_USES,
	COPIED
};

struct drain {
	struct programs *p;
	struct old *old;
	struct bpf_object *object; /* ours */
	struct former_bpf *former;
	struct bpf_link *watcher;
	struct translation *keys[COPIED];
	struct translation *values[COPIED];
	struct translation *thread;
	struct translation *use;
	struct translation *event;
	struct translation *settings;
	uint64_t stopped_ns; /* CLOCK_MONOTONIC */
	/* one map's: */
	int index;
	int to_fd;
	void *key;
	void *value;
	bool failed;
	__u64 lost_events;
	/* the threads': */
	char *bytes;
	size_t used;
};

/* Our map of this name. */
int drain_our_map(const struct drain *d, const char *name);

/* How their type of that number, in their BTF, becomes ours. NULL: it cannot. The second: the values of a map. */
struct translation *drain_translation(const struct drain *d, __u32 theirs, __u32 ours);
struct translation *drain_translation_of_values(const struct drain *d, const char *name);

/* Prepares to turn a map into ours. Returns 0; -1 with @err set: it does not tell what is needed. */
int drain_prepare_map(struct drain *d, enum copied c, struct error *err);

/* Turns a map's entries into ours. Returns 0; -1 with @err set. */
int drain_copy_map(struct drain *d, enum copied c, struct error *err);

/* The same for the arrays, whose places are the slots of jobs: after the totals. */
int drain_copy_slots(struct drain *d, struct error *err);

/* Removes all entries of a map of ours; those of all that were copied. */
void drain_forget(int map_fd);
void drain_forget_copies(struct drain *d);

#endif
