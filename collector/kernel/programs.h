/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and pins the kernel programs and their maps, or takes over the pins of an earlier stintd.
 * Pinned programs count while no stintd runs.
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
	bool needed;
	char reason[160];
	/* Dotted name of what reports lack because of this program; NULL: nothing. */
	const char *gap;
	const char *gap_reason;
};

/* Cost while sysctl kernel.bpf_stats_enabled was 1. 0 if another stintd loaded the program. */
struct program_cost {
	uint64_t run_ns;
	uint64_t runs;
};

struct bpf_object;
struct old;

/*
 * Stops the programs of @old, which have another layout, and takes over their counts and threads.
 *
 * @object: the programs of this stintd, attached but not counting yet
 *
 * Returns 0; -1 with @err set if nothing was taken over.
 */
typedef int programs_upgrade(struct programs *p, struct bpf_object *object, struct old *old, struct error *err);

/*
 * Makes the kernel programs count.
 *
 * - Takes over programs that are pinned in bpf_dir and count for a job.
 * - If they have another layout, @upgrade replaces them.
 * - Otherwise loads new programs and pins them.
 *
 * Leaves out programs that @conf does not want, and optional programs that the kernel refuses.
 * If bpf_dir is not on a bpffs, the programs end with this process.
 *
 * Returns NULL with @err set if counting is not possible.
 */
struct programs *programs__open(const struct conf *conf, programs_upgrade *upgrade, struct error *err);

/* Frees @p. Pinned programs continue to count. */
void programs__close(struct programs *p);

/* Frees @p, which may be NULL, and removes the pins that this stintd has made. */
void programs__give_up(struct programs *p);

struct table_use {
	size_t users, jobs, steps, tools, files, containers, gpu_files;
};

/*
 * Sets each user's share of the entries in the tables of processes.
 *
 * @use: what the open jobs use now
 *
 * Returns 0; -1 with @err set.
 */
int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err);

/*
 * Sets how many entries of steps, tools and files each job of the user @uid may have.
 * All jobs of a user together get the user's share.
 *
 * @jobs: open jobs of the user
 *
 * Returns 0; -1 with @err set.
 */
int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err);

/* Returns how many steps of each job of @uid may have totals. */
uint32_t programs__steps_share(const struct programs *p, uint32_t uid);

/*
 * Makes the programs send an event if a job begins PRESSURE_MARK waits within @ns nanoseconds.
 * Returns 0; -1 with @err set.
 */
int programs__set_rush(struct programs *p, uint32_t ns, struct error *err);

bool programs__taken_over(const struct programs *p);

/*
 * Returns true if programs of another layout were replaced.
 *
 * @why: set to the reason if a replacement failed; otherwise to an empty text. @p owns the text.
 */
bool programs__replaced(const struct programs *p, const char **why);

struct job_cpu {
	uint64_t job;
	uint64_t ns;
	bool known;
};

/*
 * Finds the CPU time of each of @jobs, living threads included, with one walk over all threads.
 * A thread that ends during the walk may count twice.
 *
 * @jobs: @count elements, sorted by key; receive the CPU times
 *
 * Returns 0; -1 with @err set if living threads cannot be read.
 */
int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err);

/* Adds @given to the totals of @job, if programs__replaced(). Returns 0; -1 with @err set. */
int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err);

/*
 * Returns the version of the stintd that loaded the programs.
 *
 * @same: set to true if the build is the same
 */
const char *programs__version(const struct programs *p, bool *same);

/* Returns how many things in the pins' directory are not stint's. */
int programs__foreign_pins(const struct programs *p);

/* Returns true if the programs outlive this process. */
bool programs__pinned(const struct programs *p);

/* Fills @states. Returns the number of programs that this kernel needs. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS]);

struct program_cost programs__cost(const struct programs *p, const struct program_state *state);

const struct features *programs__features(const struct programs *p);

bool programs__loaded(const struct programs *p, enum program program);

const struct settings *programs__settings(const struct programs *p);

/* CLOCK_BOOTTIME in nanoseconds. */
uint64_t programs__since_ns(const struct programs *p);

/*
 * Sets which cgroup hierarchies the programs use. Returns 0; -1 with @err set.
 *
 * @hierarchy_id: the hierarchy of @controller, which decides which threads belong to a job
 * @memory_hierarchy_id: the hierarchy of the memory controller; -1: none
 */
int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err);

/*
 * Finds the program file of slurmstepd through @pid, a running slurmstepd.
 * Returns 0, even if this process has ended; -1 with @err set.
 */
int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err);

/*
 * programs__add_job() makes the totals of a job. From then on, threads in @cgroup count for the job.
 * It gives the job a slot if one is free. It looks for GPU drivers that were loaded since the last call.
 * programs__add_step() makes the totals of a step.
 *
 * @job: the id of the job's first cgroup
 * @uid: the job's user
 * @existed: set to true if the job has totals already; they are kept
 *
 * Return 0; -1 with @err set.
 */
int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed,
		      struct error *err);
int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err);

/*
 * Stores the peak of the memory cgroup @memory_id in the totals of @id: the job or one of its steps.
 * Returns 0; -1 with @err set.
 */
int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err);

/*
 * Removes the entries of a cgroup that is gone.
 *
 * @memory_id: its memory cgroup; 0: none
 */
void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id);

/* Returns false if the memory cgroup has no entry, because the map was full. */
bool programs__has_memory(const struct programs *p, uint64_t memory_id);

/* Finds threads of jobs that are not counted yet, and counts them. Returns 0; -1 with @err set. */
int programs__scan(struct programs *p, struct error *err);

/*
 * Works like programs__scan(), for the threads in @cgroup and below. The programs must know @cgroup.
 * Returns 0; -1 with @err set.
 */
int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err);

/* Reads the totals of the job or step @id. Returns 0; -1 if it has none. */
int programs__totals(struct programs *p, uint64_t id, struct totals *totals);

/*
 * Sum up what living threads have not added to the totals yet, for all jobs with a slot.
 *
 * programs__samples_begin() returns the descriptor of a walk over all threads; -1 with @err set.
 *
 * programs__samples_go_on() handles some dozen threads. It returns 1 if more may follow.
 * It closes the walk and returns 0 at the end, or -1 with @err set.
 *
 * programs__sample() reads the sum of @slot. It returns 0; -1 if there is none.
 */
int programs__samples_begin(struct programs *p, struct error *err);
int programs__samples_go_on(int walk, struct error *err);
int programs__sample(struct programs *p, unsigned int slot, struct sample *sample);

/*
 * Returns the memory that the kernel could reclaim from a memory cgroup's slabs, in bytes.
 * Returns -1 if it is unknown, or if the cgroup has 4,096 or more cgroups below it.
 *
 * @cgroup_fd: the cgroup's directory
 */
int64_t programs__slab_bytes(struct programs *p, int cgroup_fd);

/*
 * Calls @take for each living thread of @job, or of all jobs if @job is 0.
 * Only one process of the node may do so at a time.
 *
 * Returns 0; -1 if the walk is not possible.
 */
int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data);

/* Reads the waits of @job as a whole, which are in @slot. Returns 0; -1 if these waits were not followed. */
int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Stops following the waits of @job as a whole. Returns 0; -1 with @err set.
 *
 * @slot: of the job
 * @waits: per second
 * @cpus: on which the job waited
 */
int programs__leave(struct programs *p, unsigned int slot, uint64_t job, uint64_t waits, unsigned int cpus,
		    struct error *err);

/* Returns true after programs__leave(). *@pressure says when and why in its left_ members. */
bool programs__was_left(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Reads the CPU time of @job on each of @cpus CPUs. Returns 0; -1 if the job was not followed as a whole.
 *
 * @ns: in nanoseconds
 */
int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus);

/*
 * Call @take for each tool, container, GPU's file, file system or file of @job, in any order.
 * Return 0; -1 if out of memory.
 */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data);
int programs__containers(struct programs *p, uint64_t job,
			 void (*take)(uint64_t id, const struct container *container, void *data), void *data);
int programs__gpu_files(struct programs *p, uint64_t job,
			void (*take)(const struct gpu_file_key *key, const struct gpu_file *file, void *data), void *data);
int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data);
int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data);

/*
 * Calls @take for each step of @job whose totals the kernel programs made.
 * Returns 0; -1 if out of memory.
 *
 * @take: gets the id of the step's cgroup, and the pid of the step's first process
 */
int programs__found_steps(struct programs *p, uint64_t job, void (*take)(uint64_t id, uint64_t first_pid, void *data),
			  void *data);

/* Deletes all entries of a job and its steps. Frees the job's slot. */
void programs__forget(struct programs *p, uint64_t job);

/* Deletes the shares and counts of users without jobs. */
void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data);

/* Forgets jobs for which @known returns false. An earlier stintd may have left these jobs. */
void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data);

/*
 * Read the ring buffer. The descriptor of programs__events_fd() becomes readable if the ring buffer fills too fast.
 * programs__on_event() sets @take. programs__drain() calls @take for each event.
 */
int programs__events_fd(struct programs *p);
void programs__drain(struct programs *p);
bool programs__events_fill(const struct programs *p); /* more than a quarter is in use */
int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err);

#endif
