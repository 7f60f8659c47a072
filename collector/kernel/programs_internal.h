/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that implement "programs". No other folder uses this header.
 *
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

/* The maps that one stintd hands over to the next through their pins. */
enum map_index {
	SETTINGS,
	JOB_CGROUPS,
	TOTALS,
	TOOLS,
	MEMORY_CGROUPS,
	INTERPRETERS,
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
	int scan_fd;   /* the program member_scan */
	int sample_fd; /* the program sample_tasks; -1: not loaded */
	int living_fd; /* the program living_tasks; -1: not loaded */
	int slab_fd;   /* the program memory_slab; -1: not loaded */
	struct settings settings;
	struct stat stepd; /* the program file of the step daemon, which the stepd_ members of settings identify */
	struct slots slots;
	/*
	 * Entries of JOB_CGROUPS, MEMORY_CGROUPS and TOTALS, and those entries of TOOLS and FILE_SYSTEMS that were read
	 * last.
	 */
	struct own_entries own;
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* as in struct conf */
	struct bpf_link *links[PROGRAMS]; /* NULL if the program was taken over, because then its pin holds the link */
	bool wanted[PROGRAMS];
	bool loaded[PROGRAMS];
	char reasons[PROGRAMS][160]; /* why the program is not loaded; empty: this kernel does not need the program */
	struct features features; /* of this kernel */
	unsigned int casts; /* number of bpf_rdonly_cast() in the kernel's BTF (bpf/cast.h); 0: the programs do not call it */
	/*
	 * The program was left out by choice, and not because the kernel lacks something. So reports show the reason
	 * unchanged.
	 */
	bool by_choice[PROGRAMS];
	struct ring_buffer *ring;
	const unsigned long *ring_read, *ring_written; /* the kernel's counters of the bytes read and written, which only grow */
	size_t ring_bytes; /* 0: the counters are not available */
	struct event *left; /* events from the ring buffer of replaced programs that must still be passed to take */
	size_t left_count;
	bool replaced;
	int foreign_pins; /* number of things in dir that are not pins of stint */
	uint64_t choice;  /* hash of what this stintd would load; compared with settings.choice */
	uint64_t build;   /* identifies the programs of this build */
	struct error not_replaced; /* why old programs could not be replaced; empty: this did not fail */
	struct change *change; /* the variable "change" in the data of the programs; NULL if they replaced no programs */
	int change_fd; /* the program thread_inherit; -1: not loaded */
	programs_upgrade *upgrade;
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

const char *programs__name(enum program program);
bool programs__needed(enum program program);

/* Finds the program @name. Returns PROGRAMS if there is none. */
enum program programs__find(const char *name);

/* Opens the object that has all programs, but does not load it. Returns NULL with @err set on failure. */
struct stint_bpf *programs__open_object(struct error *err);
void programs__close_object(struct stint_bpf *skeleton);

/* Returns a hash that identifies the programs of this build. Another build of the same version has another hash. */
uint64_t programs__hash_of_build(void);

/*
 * Loads the wanted programs as p->skeleton. If @old is not NULL, also loads the program that takes over threads from
 * @old. Leaves out programs that the kernel refuses. Returns 0; -1 with @err set if the kernel refuses a needed
 * program.
 */
int programs__load(struct programs *p, const struct old *old, struct error *err);

/*
 * Decides which programs of @object are wanted. These are the programs that this kernel supports and needs, except
 * those that stint.conf leaves out. Sets p->features, p->wanted, p->reasons and p->by_choice. Returns 0; -1 with @err
 * set if the kernel has no BTF or lacks a needed feature.
 */
int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err);

/* Sets p->choice to a hash of what programs__choose() decided. */
void programs__hash_choice(struct programs *p);

const char *programs__map_name(enum map_index map);

/* Pins all programs and maps that are loaded. Returns 0; -1 with @err set. */
int programs__pin(struct programs *p, struct error *err);

/*
 * programs__open_pins() opens the maps that an earlier stintd pinned. It returns -1 if some are missing or have another
 * layout than @object.
 *
 * programs__count_for_a_job() returns true if the pinned programs count for at least one job. If they do not, nothing
 * is lost when this stintd loads all programs again, with its own configuration.
 *
 * programs__would_be_same() returns true if this stintd would load exactly the programs that are pinned, and if all
 * tables are empty. In this case it takes over the programs, because the kernel needs most of a second to verify new
 * ones.
 *
 * programs__take_over() takes over the pinned programs. It returns -1 with @err set if a needed one is missing.
 */
int programs__open_pins(struct programs *p, struct bpf_object *object);
bool programs__count_for_a_job(const struct programs *p);
bool programs__would_be_same(const struct programs *p);
int programs__take_over(struct programs *p, struct error *err);

/* Leaves out the programs that @old does not have, because their sums would cover only a part of a job's time. */
void programs__leave_out_lacking(struct programs *p, const struct old *old);

/*
 * Tells the kernel programs if a program sees requests to FUSE file systems (@seen). They need to know this to classify
 * waits in open().
 */
int programs__set_fuse(struct programs *p, bool seen, struct error *err);

/* Marks that @program must not be loaded, and stores the @reason. */
void programs__leave_out(struct programs *p, enum program program, const char *reason);

/*
 * Returns the dotted name of what reports lack because @program is loaded, or because it is not. Sets *@reason to the
 * reason. Returns NULL if reports lack nothing.
 */
const char *programs__gap(const struct programs *p, enum program program, const char **reason);

/* Passes p->settings to the kernel programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* Starts the iterator program @program_fd. Returns a descriptor from which its output can be read; -1 with @err set. */
int programs__begin_walk(int program_fd, struct error *err);

/* Runs the iterator program @program_fd to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

/*
 * Sets how many entries the maps of @object may have, as stint.conf says. @object must not be loaded yet. Returns 0; -1
 * with @err set.
 */
int programs__set_map_sizes(const struct programs *p, struct bpf_object *object, struct error *err);

/* Stores in p->settings how many entries the tables of processes can have. */
void programs__count_places(struct programs *p);

/* Sets p->slots.room to the number of slots that the maps in use have. */
void programs__count_slots(struct programs *p);

/* Finds which slots the jobs of an earlier stintd have. */
void programs__find_slots(struct programs *p);

/*
 * Looks at the threads of the process @pid, and counts those that belong to jobs but are not counted yet. Sets *@early
 * if a thread was still being created, because such a thread may have been missed. Returns 0, even if there is no such
 * process; -1 with @err set. Linux before 6.1 cannot do this search.
 */
int programs__scan_process(struct programs *p, pid_t pid, bool *early, struct error *err);

/*
 * Calls @take for each entry of the hash map @map_fd. Deletes the entries for which @take returns true. May miss
 * entries if other entries are added or deleted meanwhile. Returns 0; -1 if out of memory or if the map cannot be read.
 */
int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data);

/* Makes the kernel prepare memory on each CPU for new elements of the maps of @object. */
void programs__warm(struct bpf_object *object);

#endif
