/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by upgrade.c (replaces the programs) and upgrade_maps.c (translates the maps). */
#ifndef STINT_UPGRADE_INTERNAL_H
#define STINT_UPGRADE_INTERNAL_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "collector/kernel/old_programs.h"
#include "collector/kernel/programs_internal.h"
#include "collector/kernel/upgrade/translate.h"

struct former_bpf;

enum copied {
	C_TOTALS,
	C_JOB_CGROUPS,
	C_TOOLS,
	C_MEMORY_CGROUPS,
	C_FILE_SYSTEMS,
	C_FILES,
	C_CONTAINERS,
	C_GPU_FILES,
	C_PROCESSES,
	C_PROCESS_USES,
	C_PRESSURES,
	C_CPU_USES,
	COPIED
};

struct upgrade {
	struct programs *p;
	struct old *old;
	struct bpf_object *object;
	struct former_bpf *former;
	struct bpf_link *watcher;
	struct translation *keys[COPIED];
	struct translation *values[COPIED];
	struct translation *thread;
	struct translation *use;
	struct translation *event;
	struct translation *settings;
	uint64_t stopped_ns; /* CLOCK_MONOTONIC */
	/* For the map that is being copied: */
	int index;
	int to_fd;
	void *key;
	void *value;
	bool failed;
	__u64 lost_events;
	char *bytes;
	size_t used;
};

int upgrade_our_map(const struct upgrade *d, const char *name);

/*
 * upgrade_translation() translates a former type into this stintd's type.
 * upgrade_translation_of_values() does so for the values of the map @name.
 * Return NULL if there is no translation.
 */
struct translation *upgrade_translation(const struct upgrade *d, __u32 theirs, __u32 ours);
struct translation *upgrade_translation_of_values(const struct upgrade *d, const char *name);

/* Returns 0; -1 with @err set if the map's BTF lacks something. */
int upgrade_prepare_map(struct upgrade *d, enum copied c, struct error *err);

/* Copies the former programs' map @c into this stintd's map. Returns 0; -1 with @err set. */
int upgrade_copy_map(struct upgrade *d, enum copied c, struct error *err);

/*
 * Works like upgrade_copy_map(), for arrays indexed by slots. Call this after the totals were copied.
 * Returns 0; -1 with @err set.
 */
int upgrade_copy_slots(struct upgrade *d, struct error *err);

/* upgrade_forget() empties a map of this stintd. upgrade_forget_copies() empties all copied maps. */
void upgrade_forget(int map_fd);
void upgrade_forget_copies(struct upgrade *d);

#endif
