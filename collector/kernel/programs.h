/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the kernel programs and their maps, and pins them; or takes them over from the pins of an earlier stintd.
 * Because of the pins, counting continues while no stintd runs.
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
	bool needed;     /* nothing can be counted without this program */
	char reason[160]; /* why the program is not loaded */
	/*
	 * Dotted name of what reports lack because the program is loaded, or because it is not; NULL: they lack
	 * nothing.
	 */
	const char *gap;
	const char *gap_reason;
};

/*
 * What a program cost in the kernel while sysctl kernel.bpf_stats_enabled was 1. All members are 0 if it was not 1, or
 * if another stintd loaded the program.
 */
struct program_cost {
	uint64_t run_ns;
	uint64_t runs;
};

struct bpf_object;
struct old;

/*
 * Stops the programs of @old, which have another layout. Takes over everything that they have counted, including their
 * threads. The programs of @object are already attached, but do not count yet.
 *
 * Returns 0; -1 with @err set if nothing was taken over.
 */
typedef int programs_upgrade(struct programs *p, struct bpf_object *object, struct old *old, struct error *err);

/*
 * Makes the kernel programs count.
 *
 * If programs are pinned in the bpf_dir of @conf and count for a job, takes these programs over. If these programs have
 * another layout, @upgrade replaces them and takes over their counts. Otherwise loads new programs and pins them there.
 *
 * Leaves out a program if @conf does not want it, or if the kernel refuses it and it is not needed. If programs are
 * taken over, unpins those that @conf does not want. A program that @conf wants but that is not pinned then stays left
 * out.
 *
 * If bpf_dir is not on a bpffs, everything works, but only as long as this process lives.
 *
 * Returns NULL with @err set if counting is not possible.
 */
struct programs *programs__open(const struct conf *conf, programs_upgrade *upgrade, struct error *err);

/* Frees @p. Pinned programs stay pinned and continue to count. */
void programs__close(struct programs *p);

/*
 * Frees @p if it will not be used. Also removes the pins that this stintd has made, because these programs count for no
 * job. @p may be NULL.
 */
void programs__give_up(struct programs *p);

/*
 * How many entries the open jobs have in the tables that all jobs share, how many such jobs there are, and how many
 * users own these jobs.
 */
struct table_use {
	size_t users, jobs, steps, tools, files;
};

/*
 * Tells the kernel programs how many entries of the tables of processes each user may have.
 *
 * @use: what the open jobs have now (collector/kernel/map_shares.h)
 *
 * Returns 0; -1 with @err set.
 */
int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err);

/*
 * Tells the kernel programs how many entries of the tables of steps, tools and files each job of the user @uid may
 * have. If the user has many jobs, each of them gets less, so the user leaves as much room to others as a user with one
 * job.
 *
 * @jobs: the number of open jobs of this user
 *
 * Returns 0; -1 with @err set.
 */
int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err);

/* Returns how many steps of each job of the user @uid may have totals of their own. */
uint32_t programs__steps_share(const struct programs *p, uint32_t uid);

/*
 * Makes the kernel programs send an event if a job begins PRESSURE_MARK waits within @ns (collector/job/wait_rate.h).
 * Returns 0; -1 with @err set.
 */
int programs__set_rush(struct programs *p, uint32_t ns, struct error *err);

/* Returns true if the programs and maps were taken over from an earlier stintd's pins. */
bool programs__taken_over(const struct programs *p);

/*
 * Returns true if programs of another layout were found and their counts were taken over. If such programs were found
 * but their counts could not be taken over, *@why says why; otherwise *@why is empty. *@why belongs to @p.
 */
bool programs__replaced(const struct programs *p, const char **why);

/* The CPU time counted for a job. */
struct job_cpu {
	uint64_t job; /* its key */
	uint64_t ns;
	bool known; /* it has totals */
};

/*
 * Finds how much CPU time has been counted for each of @jobs, with one walk over all threads. The result is the time in
 * the job's totals, plus the time that live threads have not added to the totals yet. Live threads of Slurm itself are
 * included. If a thread ends during the walk, its time may count twice.
 *
 * @jobs: @count elements, sorted by key; receive the result
 *
 * Returns 0; -1 with @err set if the live threads cannot be read.
 */
int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err);

/*
 * Adds @given, which no thread will add, to the totals of @job. Works only if programs__replaced() returns true.
 * Returns 0; -1 with @err set.
 */
int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err);

/*
 * Returns the version of the stintd that loaded the programs. Sets *@same to true if the programs are from this build.
 */
const char *programs__version(const struct programs *p, bool *same);

/* Returns how many things in the directory of the pins do not belong to stint. stintd leaves these things alone. */
int programs__foreign_pins(const struct programs *p);

/* Returns true if the programs are pinned, so that they outlive this process. */
bool programs__pinned(const struct programs *p);

/* Fills @states with the states of all programs that this kernel needs. Returns the number of these programs. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS]);

/* Returns the cost of the program that @state describes. Makes one call of bpf(). */
struct program_cost programs__cost(const struct programs *p, const struct program_state *state);

/* Returns the kernel features that the programs use, and for each of them if this kernel has it. */
const struct features *programs__features(const struct programs *p);

/* Returns true if @program is loaded. */
bool programs__loaded(const struct programs *p, enum program program);

/* Returns the settings of the kernel programs. */
const struct settings *programs__settings(const struct programs *p);

/* Returns when the programs began to count (CLOCK_BOOTTIME, in ns). */
uint64_t programs__since_ns(const struct programs *p);

/*
 * Sets which cgroup hierarchies the kernel programs use. Returns 0; -1 with @err set.
 *
 * @hierarchy_id: the hierarchy that decides which threads belong to a job; it is the one of @controller
 * @memory_hierarchy_id: the hierarchy that has the memory controller; -1: none
 */
int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err);

/*
 * Tells the kernel programs which file is the program of Slurm's step daemon, by looking at the running daemon @pid.
 * Returns 0, even if the daemon has already ended; -1 with @err set.
 */
int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err);

/*
 * programs__add_job() makes the totals of the job @job of the user @uid. The key of a job is the id of its first
 * cgroup. If the job already has totals, keeps them and sets *@existed to true. A new job gets a slot if one is free.
 * From now on, threads in @cgroup count for the job.
 *
 * programs__add_step() makes the totals of one of the job's steps.
 *
 * Both return 0; -1 with @err set.
 */
int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed,
		      struct error *err);
int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err);

/*
 * Makes the kernel programs store the peak of the memory cgroup @memory_id in the totals of @id. @id is @job itself, or
 * one of the job's steps. Returns 0; -1 with @err set.
 */
int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err);

/*
 * Removes the map entries of the cgroup @cgroup of a job, because this cgroup is gone. If @memory_id is not 0, also
 * removes the entry of the memory cgroup @memory_id.
 */
void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id);

/* Returns true if the memory cgroup @memory_id has a map entry. It has none if the map was full. */
bool programs__has_memory(const struct programs *p, uint64_t memory_id);

/*
 * Looks at all threads of the node, and counts those that belong to jobs but are not counted yet. Returns 0; -1 with
 * @err set.
 */
int programs__scan(struct programs *p, struct error *err);

/*
 * Works like programs__scan(), but looks only at the threads in the job's cgroup @cgroup and in the cgroups below it.
 * The programs must already know @cgroup. Returns 0; -1 with @err set.
 */
int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err);

/* Reads the totals of the job or step @id. Returns 0; -1 if it has no totals. */
int programs__totals(struct programs *p, uint64_t id, struct totals *totals);

/*
 * These functions sum up what live threads have not added to the totals yet, for all jobs that have a slot.
 *
 * programs__samples_begin() starts a walk over all threads. It returns the walk's descriptor; -1 with @err set.
 *
 * programs__samples_go_on() handles the next threads of @walk, a few dozen of them. It returns 1 if there may be more
 * threads. It closes the walk and returns 0 at its end, or -1 with @err set on failure.
 *
 * programs__sample() then reads the sum of the job that has @slot. It returns 0; -1 if there is no sum.
 */
int programs__samples_begin(struct programs *p, struct error *err);
int programs__samples_go_on(int walk, struct error *err);
int programs__sample(struct programs *p, unsigned int slot, struct sample *sample);

/*
 * Returns how many bytes of memory the kernel could reclaim from the slabs of a memory cgroup
 * (bpf/programs/slab.bpf.c). @cgroup_fd is the cgroup's directory. Returns -1 if this is not known, or if there are
 * 4,096 or more cgroups below this cgroup.
 */
int64_t programs__slab_bytes(struct programs *p, int cgroup_fd);

/*
 * Calls @take for each live thread of @job, or of all jobs if @job is 0. Only one process of this node may make such a
 * walk at a time. Returns 0; -1 if the walk is not possible.
 */
int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data);

/* Reads the waits of @job as a whole. @slot is the job's slot. Returns 0; -1 if these waits were not followed. */
int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Stops following the waits of @job as a whole, because the job waited @waits times a second on @cpus CPUs. @slot is
 * the job's slot. The states of the job's threads are still counted. Returns 0; -1 with @err set.
 */
int programs__leave(struct programs *p, unsigned int slot, uint64_t job, uint64_t waits, unsigned int cpus,
		    struct error *err);

/*
 * Returns true if programs__leave() has stopped following the waits of @job, which has @slot. The left_ members of
 * *@pressure then say when and why.
 */
bool programs__was_left(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Reads the CPU time in ns that the user's threads of @job used on each of the first @cpus CPUs. Returns 0; -1 if this
 * time was not followed.
 */
int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus);

/*
 * Each function calls @take for each tool, file system or file of @job, in no particular order. Returns 0; -1 if out of
 * memory.
 */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data);
int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data);
int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data);

/*
 * Calls @take for each step of @job whose totals the kernel programs made without a message from the collector. @take
 * gets the id of the step's cgroup and the pid of the step's first process. Returns 0; -1 if out of memory.
 */
int programs__found_steps(struct programs *p, uint64_t job, void (*take)(uint64_t id, uint64_t first_pid, void *data),
			  void *data);

/* Deletes all map entries of a job and its steps, and frees the job's slot. */
void programs__forget(struct programs *p, uint64_t job);

/*
 * Deletes the shares of all users without jobs. Also deletes the counts of the entries that these users have in the
 * tables of processes. @has_jobs: tells if a user has jobs
 */
void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data);

/*
 * Forgets all jobs that @known does not know. Such jobs exist if a stintd was killed just before it would have
 * forgotten them.
 */
void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data);

/*
 * These functions read the ring buffer. programs__events_fd() becomes readable if the ring buffer fills faster than it
 * is emptied. programs__on_event() sets @take. programs__drain() calls @take for each event in the ring buffer.
 */
int programs__events_fd(struct programs *p);
void programs__drain(struct programs *p);
bool programs__events_fill(const struct programs *p); /* returns true if more than a quarter of the ring buffer is in use */
int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err);

#endif
