/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "programs" share, and nobody else sees: programs.c (loading), programs_pins.c (what one stintd hands
 * to the next), programs_old.c and programs_drain*.c (programs of another layout), programs_choose.c (which this kernel
 * can have), programs_jobs.c (a job's places in the maps), programs_maps.c (what stands in them), programs_walk.c (going
 * through one), programs_bound.c (how many entries each has) and programs_warm.c (memory for their elements).
 */
#ifndef STINT_PROGRAMS_OWN_H
#define STINT_PROGRAMS_OWN_H

#include <limits.h>
#include <sys/stat.h>

#include "collector/programs.h"
#include "collector/slots.h"

struct bpf_link;
struct old;
struct bpf_object;
struct ring_buffer;
struct stint_bpf;

/* What is handed from one stintd to the next by its pin. */
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
	struct settings settings;
	struct stat stepd; /* the file that the settings' stepd_ fields tell of */
	struct slots slots;
	unsigned int map_entries[BOUNDED_MAP_COUNT]; /* as in struct conf */
	struct bpf_link *links[PROGRAMS]; /* NULL when taken over: the pins hold them */
	bool wanted[PROGRAMS];
	bool loaded[PROGRAMS];
	char reasons[PROGRAMS][160]; /* why it is not; empty: this kernel has no need of it */
	bool by_choice[PROGRAMS]; /* the reason is not the kernel's, but somebody's choice: reports tell it as it is */
	struct ring_buffer *ring;
	struct event *left; /* in the ring of programs that these have replaced, not handed over yet */
	size_t left_count;
	bool replaced;
	int foreign_pins; /* in dir, and not stint's */
	uint64_t build;   /* tells this one's programs from those of another build */
	struct error not_replaced; /* why; empty: there was nothing to replace */
	struct change *change; /* in the programs' data; NULL when taken over */
	int change_fd; /* the program thread_inherit; -1 */
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

const char *programs__name(enum program program);
bool programs__needed(enum program program);

/*
 * Decides which programs of @object this kernel can have, and has a need of, and stint.conf does not leave out: sets
 * p->wanted, p->reasons, p->by_choice. Returns 0; -1 with @err set when the kernel has no BTF.
 */
int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err);

/* The name that @program is pinned by; and whether @name is one. */
const char *programs__pin_name(enum program program);
bool programs__is_pin(const char *name);

const char *programs__map_name(enum map_index map);

/* Pins all that is loaded. Returns 0; -1 with @err set. */
int programs__pin(struct programs *p, struct error *err);

/*
 * Opens the pins of an earlier stintd: -1 when there are none, or not all, or of another layout than @object.
 * programs__count_for_a_job(): whether they count for some job; where not, nothing is lost when all is loaded anew, by
 * this stintd and its conf. programs__take_over(): takes them over; -1 with @err set when one that is needed is missing.
 */
int programs__open_pins(struct programs *p, struct bpf_object *object);
bool programs__count_for_a_job(const struct programs *p);
int programs__take_over(struct programs *p, struct error *err);

/* Leaves out what those of another layout lack: a job's sums would be of a part of its time. */
void programs__leave_out_lacking(struct programs *p, const struct old *old);

/* Requests to FUSE are told, or no longer: what a thread waits for in an open is judged by it. */
int programs__tell_fuse(struct programs *p, bool seen, struct error *err);

/*
 * Stops the programs of another layout that @old tells of, and takes over all that they have counted, their threads
 * too. The programs of @object are attached by then, and count nothing yet.
 * Returns 0; -1 with @err set: nothing was taken over.
 */
int programs__take_from(struct programs *p, struct bpf_object *object, struct old *old, struct error *err);

/* Notes that @program is not to be loaded, and why. */
void programs__leave_out(struct programs *p, enum program program, const char *reason);

/* What is missing in a report as @program is, or is not, loaded. NULL: nothing; else a dotted name, and *@reason. */
const char *programs__gap(const struct programs *p, enum program program, const char **reason);

/* Hands p->settings to the kernel programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* An iterator program, to be read from: what it writes. Returns a descriptor; -1 with @err set. */
int programs__begin_walk(int program_fd, struct error *err);

/* Runs an iterator program to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

/* Has the maps of @object, which is not loaded yet, no more entries than stint.conf says. Returns 0; -1 with @err set. */
int programs__bound(const struct programs *p, struct bpf_object *object, struct error *err);

/* Learns how many slots the maps in use have. */
void programs__count_slots(struct programs *p);

/* Finds out which slots jobs of an earlier stintd have. */
void programs__find_slots(struct programs *p);

/*
 * Calls @take for each entry of a hash map; one for which it returns true is deleted. What comes or goes meanwhile may
 * be seen or not. Returns 0; -1 when memory ran out or the map cannot be read.
 */
int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data);

/* Has the kernel keep memory for the elements of the maps ready on each CPU. */
void programs__warm(struct bpf_object *object);

#endif
