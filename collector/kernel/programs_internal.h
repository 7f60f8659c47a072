/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "programs" share, and no other folder uses: programs.c (the whole), programs_load.c (loading),
 * programs_pins.c (the pins, from one stintd to the next), programs_choose.c (which programs this kernel can have),
 * features.c (what this kernel has of what they use), kernel_btf.c (looking that up), casts.c (calls of a function
 * of the kernel), programs_jobs.c (a job's entries in the maps), programs_maps.c (the contents of the maps),
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
	struct stint_bpf *skeleton; /* NULL when all was taken over */
	int maps[MAPS];
	int scan_fd;   /* the program member_scan */
	int sample_fd; /* the program sample_tasks; -1: it is not there */
	int living_fd; /* the program living_tasks; -1: it is not there */
	int slab_fd;   /* the program memory_slab; -1: it is not there */
	struct settings settings;
	struct stat stepd; /* the file that the settings' stepd_ fields identify */
	struct slots slots;
	struct own_entries own; /* of JOB_CGROUPS, MEMORY_CGROUPS and TOTALS, and what was read last of TOOLS and FILE_SYSTEMS */
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* as in struct conf */
	struct bpf_link *links[PROGRAMS]; /* NULL when taken over: the pins hold them */
	bool wanted[PROGRAMS];
	bool loaded[PROGRAMS];
	char reasons[PROGRAMS][160]; /* why it is not loaded; empty: this kernel has no need of it */
	struct features features; /* of this kernel */
	unsigned int casts; /* bpf_rdonly_cast() (bpf/cast.h) in the kernel's BTF; 0: the programs do without */
	/* left out by somebody's choice, and not by the kernel: reports give the reason as it is */
	bool by_choice[PROGRAMS];
	struct ring_buffer *ring;
	const unsigned long *ring_read, *ring_written; /* the kernel's counters of bytes, which only grow */
	size_t ring_bytes; /* 0: there are no counters */
	struct event *left; /* events from the ring of replaced programs that were not passed on yet */
	size_t left_count;
	bool replaced;
	int foreign_pins; /* pins in dir that are not stint's */
	uint64_t choice;  /* what this stintd would load, as settings.choice */
	uint64_t build;   /* distinguishes the programs of this build from those of another */
	struct error not_replaced; /* why; empty: there was nothing to replace */
	struct change *change; /* in the programs' data; NULL where they replaced none */
	int change_fd; /* the program thread_inherit; -1: it is not there */
	programs_upgrade *upgrade;
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

const char *programs__name(enum program program);
bool programs__needed(enum program program);

/* Finds the program of this name; PROGRAMS when there is none. */
enum program programs__find(const char *name);

/* Opens the object that all programs are in, and does not load it. NULL with @err set when that fails. */
struct stint_bpf *programs__open_object(struct error *err);
void programs__close_object(struct stint_bpf *skeleton);

/* Returns a hash that distinguishes the programs of this build from those of another build of the same version. */
uint64_t programs__hash_of_build(void);

/*
 * Loads the programs that are wanted, as p->skeleton. Unless @old is NULL, these include the one that takes threads
 * over from @old. Only programs that the kernel refuses are left out. Returns 0; -1 with @err set when one of these
 * is needed.
 */
int programs__load(struct programs *p, const struct old *old, struct error *err);

/*
 * Decides which programs of @object are wanted: those that this kernel can have, that it has a need of, and that
 * stint.conf does not leave out. Sets p->features, p->wanted, p->reasons, p->by_choice. Returns 0; -1 with @err set
 * when the kernel has no BTF, or lacks a feature that is needed.
 */
int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err);

/* Sets p->choice from what programs__choose() decided. */
void programs__hash_choice(struct programs *p);

const char *programs__map_name(enum map_index map);

/* Pins all that is loaded. Returns 0; -1 with @err set. */
int programs__pin(struct programs *p, struct error *err);

/*
 * programs__open_pins() opens the maps that an earlier stintd pinned; -1 when some are missing, or have another layout
 * than @object. programs__count_for_a_job(): whether the pinned programs count for some job; else nothing is lost when
 * this stintd loads all anew, by its own conf. programs__would_be_same(): whether it would load just what is pinned, into
 * tables that are empty already; the kernel takes most of a second to verify the programs. programs__take_over() takes
 * them over; -1 with @err set when one that is needed is missing.
 */
int programs__open_pins(struct programs *p, struct bpf_object *object);
bool programs__count_for_a_job(const struct programs *p);
bool programs__would_be_same(const struct programs *p);
int programs__take_over(struct programs *p, struct error *err);

/* Leaves out the programs that @old lacks: their sums would cover only a part of a job's time. */
void programs__leave_out_lacking(struct programs *p, const struct old *old);

/* Sets whether the kernel programs see requests to FUSE (@seen). They classify waits in open() by that. */
int programs__set_fuse(struct programs *p, bool seen, struct error *err);

/* Notes that @program is not to be loaded, and why. */
void programs__leave_out(struct programs *p, enum program program, const char *reason);

/* The gap in reports because @program is, or is not, loaded. NULL: none; else a dotted name, and *@reason. */
const char *programs__gap(const struct programs *p, enum program program, const char **reason);

/* Hands p->settings to the kernel programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* Starts an iterator program. Returns a descriptor from which its output is read; -1 with @err set. */
int programs__begin_walk(int program_fd, struct error *err);

/* Runs an iterator program to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

/* Bounds the maps of @object, not loaded yet, to the entries that stint.conf says. Returns 0; -1 with @err set. */
int programs__set_map_sizes(const struct programs *p, struct bpf_object *object, struct error *err);

/* Learns how many entries the tables of processes have that were loaded, for the settings. */
void programs__count_places(struct programs *p);

/* Learns how many slots the maps in use have. */
void programs__count_slots(struct programs *p);

/* Finds which slots the jobs of an earlier stintd have. */
void programs__find_slots(struct programs *p);

/*
 * Finds members of jobs that are not counted yet among the threads of the process @pid. *@early: a thread was only being
 * made, and may have been missed.
 * Returns 0, also when there is no such process; -1 with @err set (Linux before 6.1 cannot do it).
 */
int programs__scan_process(struct programs *p, pid_t pid, bool *early, struct error *err);

/*
 * Calls @take for each entry of a hash map, and deletes those for which it returns true. An entry that comes or goes
 * meanwhile may be seen or not. Returns 0; -1 when memory ran out or the map cannot be read.
 */
int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data);

/* Makes the kernel keep memory for the elements of the maps ready on each CPU. */
void programs__warm(struct bpf_object *object);

#endif
