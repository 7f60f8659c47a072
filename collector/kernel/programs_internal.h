/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that implement "programs":
 * - programs.c: the whole
 * - programs_load.c: loading
 * - programs_pins.c: the pins, from one stintd to the next
 * - programs_choose.c: which programs this kernel supports
 * - features.c: which of the needed features this kernel has
 * - kernel_btf.c: looks into the kernel's BTF
 * - casts.c: calls of a kernel function
 * - programs_jobs.c: a job's entries in the maps
 * - programs_maps.c: the contents of the maps
 * - programs_walk.c: walking through a map
 * - programs_map_sizes.c: the number of entries of a map
 * - programs_warm.c: memory for the elements of maps
 */
#ifndef STINT_PROGRAMS_INTERNAL_H
#define STINT_PROGRAMS_INTERNAL_H

#include <limits.h>
#include <sys/stat.h>

#include "collector/kernel/features.h"
#include "collector/kernel/own_entries.h"
#include "collector/kernel/programs.h"
#include "collector/kernel/slots.h"

struct bpf_link;
struct old;
struct bpf_object;
struct ring_buffer;
struct stint_bpf;

enum map_index {
	SETTINGS,
	JOB_CGROUPS,
	TOTALS,
	TOOLS,
	MEMORY_CGROUPS,
	INTERPRETERS,
	RUNTIME_OPTIONS,
	CONTAINERS,
	GPU_FILES,
	EVENTS,
	PRESSURES,
	CPU_USES,
	SAMPLES,
	FILE_SYSTEMS,
	FILES,
	SYSCALLS,
	USERS,
	SHARES,
	MAPS
};

struct programs {
	char dir[PATH_MAX];
	bool pinned;
	bool taken_over;
	struct stint_bpf *skeleton; /* NULL if all programs were taken over */
	int maps[MAPS];
	int scan_fd;
	int sample_fd;
	int living_fd;
	int slab_fd;
	struct settings settings;
	struct stat stepd;
	struct slots slots;
	struct own_entries own;
	unsigned int map_entries[BOUNDED_MAP_COUNT];
	struct bpf_link *links[PROGRAMS]; /* NULL if taken over: then the pin holds the link */
	bool wanted[PROGRAMS];
	bool loaded[PROGRAMS];
	char reasons[PROGRAMS][160]; /* why the program is not loaded */
	struct features features;
	unsigned int casts; /* number of bpf_rdonly_cast() in BTF; 0: not called */
	/* Left out by choice, not by the kernel. */
	bool by_choice[PROGRAMS];
	struct ring_buffer *ring;
	const unsigned long *ring_read, *ring_written;
	size_t ring_bytes; /* 0: no counters */
	struct event *left; /* events of replaced programs, not yet passed to take() */
	size_t left_count;
	bool replaced;
	int foreign_pins;
	uint64_t choice;  /* hash of what this stintd would load */
	uint64_t build;
	struct error not_replaced; /* why programs could not be replaced; or empty */
	struct change *change; /* the programs' variable, or NULL */
	int change_fd; /* thread_inherit; -1: not loaded */
	programs_upgrade *upgrade;
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

const char *programs__name(enum program program);
bool programs__needed(enum program program);

/* PROGRAMS if there is none. */
enum program programs__find(const char *name);

/* Returns NULL with @err set on failure. Does not load the object. */
struct stint_bpf *programs__open_object(struct error *err);
void programs__close_object(struct stint_bpf *skeleton);

/* Returns a hash of this build's programs. */
uint64_t programs__hash_of_build(void);

/*
 * Loads the wanted programs as p->skeleton. Leaves out programs that the kernel refuses.
 *
 * @old: not NULL if the program that takes over threads is needed
 *
 * Returns 0; -1 with @err set if the kernel refuses a needed program.
 */
int programs__load(struct programs *p, const struct old *old, struct error *err);

/*
 * Decides which programs of @object this kernel supports and needs, and stint.conf allows.
 * Sets p->features, p->wanted, p->reasons and p->by_choice.
 *
 * Returns 0; -1 with @err set if the kernel has no BTF or lacks a needed feature.
 */
int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err);

/* Hashes what programs__choose() decided, into p->choice. */
void programs__hash_choice(struct programs *p);

const char *programs__map_name(enum map_index map);

/* Pins what is loaded. Returns 0; -1 with @err set. */
int programs__pin(struct programs *p, struct error *err);

/*
 * programs__open_pins() opens an earlier stintd's maps. It returns -1 if one is missing or has another layout.
 *
 * programs__count_for_a_job() returns false if the programs count for no job, so that new programs lose no counts.
 *
 * programs__would_be_same() returns true if newly loaded programs would be the same, and all tables are empty. stintd
 * then loads none, because the kernel needs most of a second to verify programs.
 *
 * programs__take_over() takes over the pinned programs. It returns -1 with @err set if a needed one is missing.
 */
int programs__open_pins(struct programs *p, struct bpf_object *object);
bool programs__count_for_a_job(const struct programs *p);
bool programs__would_be_same(const struct programs *p);
int programs__take_over(struct programs *p, struct error *err);

/* Leaves out programs that @old lacks. Otherwise their sums would cover only a part of a job. */
void programs__leave_out_lacking(struct programs *p, const struct old *old);

/* @seen: a program sees requests to FUSE, which matters for waits in open() */
int programs__set_fuse(struct programs *p, bool seen, struct error *err);

void programs__leave_out(struct programs *p, enum program program, const char *reason);

/*
 * Returns the dotted name of what reports lack because of @program; NULL: nothing.
 *
 * @reason: set to the reason
 */
const char *programs__gap(const struct programs *p, enum program program, const char **reason);

/* Passes p->settings to the programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* Starts an iterator program. Returns a descriptor for its output; -1 with @err set. */
int programs__begin_walk(int program_fd, struct error *err);

/* Runs an iterator program to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

/*
 * Sets how many entries the maps of @object have. @object must not be loaded yet.
 * Returns 0; -1 with @err set.
 */
int programs__set_map_sizes(const struct programs *p, struct bpf_object *object, struct error *err);

/* Sets p->settings.places_room. */
void programs__count_places(struct programs *p);

/* Sets p->slots.room from the maps in use. */
void programs__count_slots(struct programs *p);

/* Finds the slots of an earlier stintd's jobs. */
void programs__find_slots(struct programs *p);

/*
 * Counts threads of the process @pid that are not counted yet. Needs Linux 6.1.
 * Returns 0, even if there is no such process; -1 with @err set.
 *
 * @early: set if a thread was still being created, and may be missed
 */
int programs__scan_process(struct programs *p, pid_t pid, bool *early, struct error *err);

/*
 * Calls @take for each entry of a hash map. Deletes the entry if @take returns true.
 * May miss entries if kernel programs change the map during the walk.
 *
 * Returns 0; -1 if out of memory or if the map cannot be read.
 */
int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data);

/* Makes the kernel prepare memory for new elements. */
void programs__warm(struct bpf_object *object);

#endif
