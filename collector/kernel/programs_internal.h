/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "programs" share, and no other folder uses: programs.c (the whole), programs_load.c (loading),
 * programs_pins.c (the pins, from one stintd to the next), programs_choose.c (which programs this kernel supports),
 * features.c (which of the features that they use this kernel has), kernel_btf.c (looking that up), casts.c (calls of a
 * function of the kernel), programs_jobs.c (a job's entries in the maps), programs_maps.c (the contents of the maps),
 * programs_walk.c (walking through a map), programs_map_sizes.c (how many entries a map has) and programs_warm.c
 * (memory for their elements).
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

/* The maps that one stintd hands to the next by their pins. */
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
	struct stint_bpf *skeleton; /* NULL if all was taken over */
	int maps[MAPS];
	int scan_fd;   /* the program member_scan */
	int sample_fd; /* the program sample_tasks; -1: not loaded */
	int living_fd; /* the program living_tasks; -1: not loaded */
	int slab_fd;   /* the program memory_slab; -1: not loaded */
	struct settings settings;
	struct stat stepd; /* the file that the settings' stepd_ fields identify */
	struct slots slots;
	struct own_entries own; /* of JOB_CGROUPS, MEMORY_CGROUPS and TOTALS, and the last read entries of TOOLS and
		 * FILE_SYSTEMS */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* as in struct conf */
	struct bpf_link *links[PROGRAMS]; /* NULL if taken over: the pins hold them */
	bool wanted[PROGRAMS];
	bool loaded[PROGRAMS];
	char reasons[PROGRAMS][160]; /* why it is not loaded; empty: this kernel does not need it */
	struct features features; /* of this kernel */
	unsigned int casts; /* bpf_rdonly_cast() (bpf/cast.h) in the kernel's BTF; 0: the programs do without it */
	/* left out by choice, not by the kernel: reports give the reason unchanged */
	bool by_choice[PROGRAMS];
	struct ring_buffer *ring;
	const unsigned long *ring_read, *ring_written; /* the kernel's counters of bytes, which only grow */
	size_t ring_bytes; /* 0: there are no counters */
	struct event *left; /* events from the ring of replaced programs that are not passed on yet */
	size_t left_count;
	bool replaced;
	int foreign_pins; /* pins in dir that are not stint's */
	uint64_t choice;  /* what this stintd would load, like settings.choice */
	uint64_t build;   /* distinguishes the programs of this build from those of another */
	struct error not_replaced; /* why; empty: there was nothing to replace */
	struct change *change; /* in the programs' data; NULL if they replaced none */
	int change_fd; /* the program thread_inherit; -1: not loaded */
	programs_upgrade *upgrade;
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

const char *programs__name(enum program program);
bool programs__needed(enum program program);

/* Finds the program of this name; PROGRAMS if there is none. */
enum program programs__find(const char *name);

/* Opens the object that contains all programs, without loading it. NULL with @err set on failure. */
struct stint_bpf *programs__open_object(struct error *err);
void programs__close_object(struct stint_bpf *skeleton);

/* Returns a hash that distinguishes the programs of this build from those of another build of the same version. */
uint64_t programs__hash_of_build(void);

/*
 * Loads the wanted programs, as p->skeleton. Unless @old is NULL, these include the one that takes threads over from
 * @old. Leaves out only programs that the kernel refuses. Returns 0; -1 with @err set if one of these is needed.
 */
int programs__load(struct programs *p, const struct old *old, struct error *err);

/*
 * Decides which programs of @object are wanted: those that this kernel supports and needs, and that stint.conf does not
 * leave out. Sets p->features, p->wanted, p->reasons, p->by_choice. Returns 0; -1 with @err set if the kernel has no
 * BTF, or lacks a needed feature.
 */
int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err);

/* Sets p->choice from what programs__choose() decided. */
void programs__hash_choice(struct programs *p);

const char *programs__map_name(enum map_index map);

/* Pins all that is loaded. Returns 0; -1 with @err set. */
int programs__pin(struct programs *p, struct error *err);

/*
 * programs__open_pins() opens the maps that an earlier stintd pinned; -1 if some are missing, or have another layout
 * than @object. programs__count_for_a_job(): whether the pinned programs count for some job; if not, nothing is lost
 * when this stintd loads everything again, by its own conf. programs__would_be_same(): whether it would load exactly
 * what is pinned, into tables that are already empty; verifying the programs takes the kernel most of a second.
 * programs__take_over() takes them over; -1 with @err set if a needed one is missing.
 */
int programs__open_pins(struct programs *p, struct bpf_object *object);
bool programs__count_for_a_job(const struct programs *p);
bool programs__would_be_same(const struct programs *p);
int programs__take_over(struct programs *p, struct error *err);

/* Leaves out the programs that @old lacks: their sums would cover only a part of a job's time. */
void programs__leave_out_lacking(struct programs *p, const struct old *old);

/* Tells the kernel programs whether they see requests to FUSE (@seen). They classify waits in open() by that. */
int programs__set_fuse(struct programs *p, bool seen, struct error *err);

/* Notes that @program must not be loaded, and why. */
void programs__leave_out(struct programs *p, enum program program, const char *reason);

/* The gap in reports because @program is, or is not, loaded. NULL: none; otherwise a dotted name, and *@reason. */
const char *programs__gap(const struct programs *p, enum program program, const char **reason);

/* Passes p->settings to the kernel programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* Starts an iterator program. Returns a descriptor from which its output is read; -1 with @err set. */
int programs__begin_walk(int program_fd, struct error *err);

/* Runs an iterator program to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

/* Limits the maps of @object, not loaded yet, to stint.conf's numbers of entries. Returns 0; -1 with @err set. */
int programs__set_map_sizes(const struct programs *p, struct bpf_object *object, struct error *err);

/* Learns how many entries the loaded tables of processes have, for the settings. */
void programs__count_places(struct programs *p);

/* Learns how many slots the maps in use have. */
void programs__count_slots(struct programs *p);

/* Finds which slots the jobs of an earlier stintd have. */
void programs__find_slots(struct programs *p);

/*
 * Finds members of jobs that are not counted yet among the threads of the process @pid. *@early: a thread was still
 * being created, and may have been missed. Returns 0, even if there is no such process; -1 with @err set (Linux before
 * 6.1 cannot do it).
 */
int programs__scan_process(struct programs *p, pid_t pid, bool *early, struct error *err);

/*
 * Calls @take for each entry of a hash map, and deletes those for which it returns true. Entries that come or go
 * meanwhile may be missed. Returns 0; -1 if memory ran out or the map cannot be read.
 */
int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data);

/* Makes the kernel keep memory ready on each CPU for the elements of the maps. */
void programs__warm(struct bpf_object *object);

#endif
