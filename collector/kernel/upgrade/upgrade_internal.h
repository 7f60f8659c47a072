/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the two files of the upgrade: upgrade.c replaces the programs, and upgrade_maps.c translates the maps.
 */
#ifndef STINT_UPGRADE_INTERNAL_H
#define STINT_UPGRADE_INTERNAL_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "collector/kernel/old_programs.h"
#include "collector/kernel/programs_internal.h"
#include "collector/kernel/upgrade/translate.h"

struct former_bpf;

/* The maps that are copied entry by entry. */
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

struct upgrade {
	struct programs *p;
	struct old *old;
	struct bpf_object *object; /* the programs and maps of this stintd */
	struct former_bpf *former;
	struct bpf_link *watcher;
	struct translation *keys[COPIED];
	struct translation *values[COPIED];
	struct translation *thread;
	struct translation *use;
	struct translation *event;
	struct translation *settings;
	uint64_t stopped_ns; /* CLOCK_MONOTONIC */
	/* The next members are for the map that is being copied. */
	int index;
	int to_fd;
	void *key;
	void *value;
	bool failed;
	__u64 lost_events;
	/* The next members are for the walk over threads: bytes that were read but not processed yet. */
	char *bytes;
	size_t used;
};

/* Returns the descriptor of the map @name of this stintd's programs. */
int upgrade_our_map(const struct upgrade *d, const char *name);

/*
 * upgrade_translation() returns how to translate the type @theirs of the former programs' BTF into the type @ours of
 * this stintd's BTF. upgrade_translation_of_values() returns the same for the values of the map @name. Both return NULL
 * if there is no translation.
 */
struct translation *upgrade_translation(const struct upgrade *d, __u32 theirs, __u32 ours);
struct translation *upgrade_translation_of_values(const struct upgrade *d, const char *name);

/* Prepares to translate the map @c. Returns 0; -1 with @err set if the map's BTF lacks something that is needed. */
int upgrade_prepare_map(struct upgrade *d, enum copied c, struct error *err);

/*
 * Translates the entries of the former programs' map @c and copies them into the map of this stintd. Returns 0; -1 with
 * @err set.
 */
int upgrade_copy_map(struct upgrade *d, enum copied c, struct error *err);

/*
 * Works like upgrade_copy_map(), for the array maps, whose indexes are the slots of jobs. Call it after the totals were
 * copied. Returns 0; -1 with @err set.
 */
int upgrade_copy_slots(struct upgrade *d, struct error *err);

/*
 * upgrade_forget() removes all entries of one map of this stintd. upgrade_forget_copies() removes all entries of the
 * maps that were copied.
 */
void upgrade_forget(int map_fd);
void upgrade_forget_copies(struct upgrade *d);

#endif
