/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel programs and their maps. stintd loads and pins them, or takes them over from the pins of an earlier
 * stintd, so counting continues while no stintd runs.
 */
#ifndef STINT_PROGRAMS_H
#define STINT_PROGRAMS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/abi.h"
#include "common/conf.h"
#include "common/error.h"
#include "common/program_names.h"

struct cgroup_job;
struct cgroup_layout;
struct features;
struct programs;

struct program_state {
	const char *name;
	bool loaded;
	bool needed;     /* nothing can be counted without it */
	char reason[160]; /* why it is not loaded */
	const char *gap; /* what reports lack because it is, or is not, loaded: a dotted name; NULL: nothing */
	const char *gap_reason;
};

/*
 * Its cost in the kernel, while sysctl kernel.bpf_stats_enabled was 1; 0: it was not, or another stintd loaded the
 * program.
 */
struct program_cost {
	uint64_t run_ns;
	uint64_t runs;
};

struct bpf_object;
struct old;

/*
 * Stops the programs of another layout that @old describes, and takes over everything they have counted, threads
 * included. The programs of @object are attached by then, and count nothing yet.
 *
 * Returns 0; -1 with @err set: nothing was taken over.
 */
typedef int programs_upgrade(struct programs *p, struct bpf_object *object, struct old *old, struct error *err);

/*
 * Takes over the programs that are pinned in the bpf_dir of @conf, if they count for a job. Otherwise loads them and
 * pins them there. If pinned programs of another layout count for a job, @upgrade replaces them and takes over their
 * counts. A program that the kernel refuses is left out unless nothing works without it, and so is one that @conf does
 * not want. Among programs that are taken over, one that @conf does not want is unpinned, and one that @conf wants and
 * that is not pinned stays out. If bpf_dir is not on a bpffs, everything works, but only as long as this process lives.
 *
 * Returns NULL with @err set if counting is not possible.
 */
struct programs *programs__open(const struct conf *conf, programs_upgrade *upgrade, struct error *err);

/* Frees @p; pinned programs stay, and continue to count. */
void programs__close(struct programs *p);

/*
 * The same if @p will not be used after all; also unpins what it has newly pinned, which counts for no job. NULL is
 * allowed.
 */
void programs__give_up(struct programs *p);

/* How many entries the open jobs have in the tables that all jobs share, and how many users own these jobs. */
struct table_use {
	size_t users, jobs, steps, tools, files;
};

/*
 * Tells the kernel programs how many entries of the tables of processes each user may have, given @use by the open jobs
 * now (collector/kernel/map_shares.h). Returns 0; -1 with @err set.
 */
int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err);

/*
 * Tells the kernel programs how many entries of the tables of steps, tools and files each job of the user @uid may
 * have, who has @jobs of the open jobs: a user with many jobs leaves others as much room as a user with one. Returns 0;
 * -1 with @err set.
 */
int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err);

/* Returns how many steps with totals of their own a job of the user @uid may have. */
uint32_t programs__steps_share(const struct programs *p, uint32_t uid);

/*
 * Makes the kernel programs send an event for each job that begins PRESSURE_MARK waits within @ns
 * (collector/job/wait_rate.h). Returns 0; -1 with @err set.
 */
int programs__set_rush(struct programs *p, uint32_t ns, struct error *err);

/* Whether the programs and maps were taken over from pins. */
bool programs__taken_over(const struct programs *p);

/*
 * Whether programs of another layout were found and their counts were taken over. If that failed, *@why, a text that
 * belongs to @p, is not empty.
 */
bool programs__replaced(const struct programs *p, const char **why);

/* The CPU time counted for a job. */
struct job_cpu {
	uint64_t job; /* its key */
	uint64_t ns;
	bool known; /* it has totals */
};

/*
 * Sets what has been counted for each of @jobs so far, by one walk over all threads: its totals, and what live threads,
 * also Slurm's own, have not added to them yet. @jobs: @count of them, ordered by key. A thread that ends meanwhile may
 * count twice. Returns 0; -1 with @err set if live threads cannot be read.
 */
int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err);

/* Adds to a job's totals what no thread will add. Works only if programs__replaced(). Returns 0; -1 with @err set. */
int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err);

/* Returns the version of the stintd whose programs count. *@same: whether they are from this build. */
const char *programs__version(const struct programs *p, bool *same);

/* Returns how many things in the directory of the pins are not stint's; these are left alone. */
int programs__foreign_pins(const struct programs *p);

/* Whether the programs are pinned, and so outlive this process. */
bool programs__pinned(const struct programs *p);

/* Fills @states for all programs that this kernel needs. Returns how many there are. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS]);

/* Returns what the program of @state has cost, by one call of bpf(). */
struct program_cost programs__cost(const struct programs *p, const struct program_state *state);

/* Returns which of the features that the programs use this kernel has. */
const struct features *programs__features(const struct programs *p);

/* Whether @program is loaded. */
bool programs__loaded(const struct programs *p, enum program program);

/* Returns the settings in force. */
const struct settings *programs__settings(const struct programs *p);

/* Returns since when the programs count (CLOCK_BOOTTIME, in ns). */
uint64_t programs__since_ns(const struct programs *p);

/*
 * Sets which hierarchy decides membership (that of @controller), and which one has the memory controller (-1: none).
 * Returns 0; -1 with @err set.
 */
int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err);

/*
 * Learns which program file is Slurm's step daemon, from the running daemon @pid. Returns 0, even if it has already
 * ended; -1 with @err set.
 */
int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err);

/*
 * Make the totals of the job @job of the user @uid, or of one of its steps. A job's key is the id of its first cgroup.
 * Totals that exist stay; *@existed: those of the job did. A new job gets a slot if one is free. Threads of @cgroup
 * count for the job from now on. Return 0; -1 with @err set.
 */
int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed,
		      struct error *err);
int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err);

/*
 * Makes the kernel programs note the peak of the memory cgroup @memory_id in the totals of @id: the job @job itself, or
 * one of its steps. Returns 0; -1 with @err set.
 */
int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err);

/* Removes the map entries of a job's cgroup that is gone, and of its memory cgroup @memory_id unless that is 0. */
void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id);

/* Whether the memory cgroup @memory_id has a map entry: without room there is none. */
bool programs__has_memory(const struct programs *p, uint64_t memory_id);

/* Finds members of jobs that are not counted yet among all threads of the node. Returns 0; -1 with @err set. */
int programs__scan(struct programs *p, struct error *err);

/*
 * Finds them among the threads in the job's cgroup @cgroup, which the programs know by now, and in the cgroups below
 * it. Returns 0; -1 with @err set.
 */
int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err);

/* Reads the totals of a job or step. Returns 0, or -1 if there are none. */
int programs__totals(struct programs *p, uint64_t id, struct totals *totals);

/*
 * Sum up, for all jobs with a slot, what their live threads have not added to the totals yet. programs__samples_begin()
 * returns a walk over all threads; -1 with @err set. programs__samples_go_on() takes the next threads of @walk, some
 * tens of them. It returns 1 if there may be more; 0 at the end of the walk, or -1 with @err set: then the walk is
 * closed. programs__sample() then reads the sum of the job with @slot, and returns 0; -1 if there is none.
 */
int programs__samples_begin(struct programs *p, struct error *err);
int programs__samples_go_on(int walk, struct error *err);
int programs__sample(struct programs *p, unsigned int slot, struct sample *sample);

/*
 * Returns how much memory the kernel holds for the memory cgroup with the directory @cgroup_fd, and reclaims if room is
 * needed (bpf/programs/slab.bpf.c); -1: not known, or there are 4,096 cgroups and more below it.
 */
int64_t programs__slab_bytes(struct programs *p, int cgroup_fd);

/*
 * Calls @take for each live thread of @job; 0: of all jobs. Only one process of this node may make such a walk at a
 * time. Returns 0; -1 if it is not possible.
 */
int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data);

/* Reads what the job @job with @slot has waited for as a whole. Returns 0; -1 if that was not followed. */
int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Stops following what the job @job with @slot waits for as a whole, because it waited @waits times a second on @cpus
 * CPUs. The states of its threads are still counted. Returns 0; -1 with @err set.
 */
int programs__leave(struct programs *p, unsigned int slot, uint64_t job, uint64_t waits, unsigned int cpus,
		    struct error *err);

/* Whether the job @job with @slot is no longer followed; then the left_ members of *@pressure say when and why. */
bool programs__was_left(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Reads the CPU time that the user's threads of the job used on each of the first @cpus CPUs, in ns. Returns 0; -1 if
 * that was not followed.
 */
int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus);

/* Call @take for each tool, file system and file of @job, in no order. Return 0; -1 if memory ran out. */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data);
int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data);
int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data);

/*
 * Calls @take for each step of @job whose totals the kernel programs made themselves, with the id of its cgroup and its
 * first process. Returns 0; -1 if memory ran out.
 */
int programs__found_steps(struct programs *p, uint64_t job, void (*take)(uint64_t id, uint64_t first_pid, void *data),
			  void *data);

/* Deletes everything that the maps have about a job and its steps. Then its slot is free. */
void programs__forget(struct programs *p, uint64_t job);

/* Forgets what users had taken of the tables of processes, and their shares, except users who have jobs (@has_jobs). */
void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data);

/* Forgets all jobs that @known does not know: these are left if a stintd was killed just before it forgot them. */
void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data);

/*
 * The ring buffer. programs__events_fd() becomes readable when it fills faster than it
 * is emptied; programs__drain() calls @take, set by programs__on_event(), for each event in it.
 */
int programs__events_fd(struct programs *p);
void programs__drain(struct programs *p);
bool programs__events_fill(const struct programs *p); /* whether a quarter of the ring buffer is in use */
int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err);

#endif
