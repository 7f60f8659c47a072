/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel programs and their maps. stintd loads and pins them, or takes them over from the pins of an earlier
 * stintd. So counting continues while no stintd runs.
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
	bool needed;     /* without it, nothing can be counted */
	char reason[160]; /* why the program is not loaded */
	const char *gap; /* what reports lack because the program is, or is not, loaded: a dotted name; NULL: nothing */
	const char *gap_reason;
};

/*
 * The cost of a program in the kernel, while sysctl kernel.bpf_stats_enabled was 1. All 0 if it was not 1, or if
 * another stintd loaded the program.
 */
struct program_cost {
	uint64_t run_ns;
	uint64_t runs;
};

struct bpf_object;
struct old;

/*
 * Stops the programs of @old, which have another layout, and takes over everything that they have counted, including
 * their threads. The programs of @object are already attached, but do not count yet.
 *
 * Returns 0; -1 with @err set if nothing was taken over.
 */
typedef int programs_upgrade(struct programs *p, struct bpf_object *object, struct old *old, struct error *err);

/*
 * Makes the kernel programs count.
 *
 * If the programs that are pinned in the bpf_dir of @conf count for a job, takes them over. Otherwise loads new
 * programs and pins them there. If pinned programs of another layout count for a job, @upgrade replaces them and takes
 * over their counts.
 *
 * Leaves out a program if @conf does not want it, or if the kernel refuses it and it is not needed. When it takes
 * programs over, it unpins those that @conf does not want. A program that @conf wants, but that is not pinned, then
 * stays out.
 *
 * If bpf_dir is not on a bpffs, everything works, but only as long as this process lives.
 *
 * Returns NULL with @err set if counting is not possible.
 */
struct programs *programs__open(const struct conf *conf, programs_upgrade *upgrade, struct error *err);

/* Frees @p. Pinned programs stay, and continue to count. */
void programs__close(struct programs *p);

/*
 * Frees @p when it will not be used. Also removes the pins that this stintd has made: these programs count for no job.
 * @p may be NULL.
 */
void programs__give_up(struct programs *p);

/*
 * The number of entries that the open jobs have in the tables that all jobs share, and the number of users who own
 * these jobs.
 */
struct table_use {
	size_t users, jobs, steps, tools, files;
};

/*
 * Tells the kernel programs how many entries each user may have in the tables of processes. @use: what the open jobs
 * have now (collector/kernel/map_shares.h). Returns 0; -1 with @err set.
 */
int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err);

/*
 * Tells the kernel programs how many entries each job of the user @uid may have in the tables of steps, tools and
 * files. @jobs: the number of open jobs of this user. A user with many jobs leaves as much room to others as a user
 * with one job. Returns 0; -1 with @err set.
 */
int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err);

/* Returns how many steps of a job of the user @uid may have totals of their own. */
uint32_t programs__steps_share(const struct programs *p, uint32_t uid);

/*
 * Makes the kernel programs send an event if a job begins PRESSURE_MARK waits within @ns (collector/job/wait_rate.h).
 * Returns 0; -1 with @err set.
 */
int programs__set_rush(struct programs *p, uint32_t ns, struct error *err);

/* Returns true if the programs and maps were taken over from pins. */
bool programs__taken_over(const struct programs *p);

/*
 * Returns true if programs of another layout were found and their counts were taken over. If this failed, *@why is not
 * empty. *@why belongs to @p.
 */
bool programs__replaced(const struct programs *p, const char **why);

/* The CPU time counted for a job. */
struct job_cpu {
	uint64_t job; /* its key */
	uint64_t ns;
	bool known; /* it has totals */
};

/*
 * Finds how much CPU time has been counted for each of @jobs, with one walk over all threads. This is the time in the
 * job's totals, plus the time that live threads have not added to the totals yet. Live threads of Slurm itself are
 * included. If a thread ends meanwhile, its time may count twice.
 *
 * @jobs: @count elements, sorted by key; receive the result
 *
 * Returns 0; -1 with @err set if the live threads cannot be read.
 */
int programs__cpu_ns(struct programs *p, struct job_cpu *jobs, size_t count, struct error *err);

/*
 * Adds @given to the totals of @job: counts that no thread will add. Works only if programs__replaced(). Returns 0; -1
 * with @err set.
 */
int programs__give(struct programs *p, uint64_t job, const struct given *given, struct error *err);

/* Returns the version of the stintd that loaded the programs. *@same: the programs are from this build */
const char *programs__version(const struct programs *p, bool *same);

/* Returns how many things in the directory of the pins do not belong to stint. stintd leaves them alone. */
int programs__foreign_pins(const struct programs *p);

/* Returns true if the programs are pinned. They then outlive this process. */
bool programs__pinned(const struct programs *p);

/* Fills @states for all programs that this kernel needs. Returns their number. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS]);

/* Returns the cost of the program of @state. Makes one call of bpf(). */
struct program_cost programs__cost(const struct programs *p, const struct program_state *state);

/* Returns the features that the programs use, and whether this kernel has each. */
const struct features *programs__features(const struct programs *p);

/* Returns true if @program is loaded. */
bool programs__loaded(const struct programs *p, enum program program);

/* Returns the settings of the kernel programs. */
const struct settings *programs__settings(const struct programs *p);

/* Returns when the programs began to count (CLOCK_BOOTTIME, in ns). */
uint64_t programs__since_ns(const struct programs *p);

/*
 * Sets which hierarchy decides which threads belong to a job (@hierarchy_id, the one of @controller), and which one has
 * the memory controller (-1: none). Returns 0; -1 with @err set.
 */
int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err);

/*
 * Finds the program file of Slurm's step daemon through the running daemon @pid. Returns 0, even if the daemon has
 * already ended; -1 with @err set.
 */
int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err);

/*
 * programs__add_job() makes the totals of the job @job of the user @uid. The key of a job is the id of its first
 * cgroup. Existing totals stay; *@existed then becomes true. A new job gets a slot if one is free. From now on, threads
 * in @cgroup count for the job. programs__add_step() makes the totals of one of the job's steps. Both return 0; -1 with
 * @err set.
 */
int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed,
		      struct error *err);
int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err);

/*
 * Makes the kernel programs store the peak of the memory cgroup @memory_id in the totals of @id: the job @job itself,
 * or one of its steps. Returns 0; -1 with @err set.
 */
int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err);

/*
 * Removes the map entries of a job's cgroup that is gone. If @memory_id is not 0, also removes the entry of this memory
 * cgroup.
 */
void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id);

/* Returns true if the memory cgroup @memory_id has a map entry. If the map was full, it has none. */
bool programs__has_memory(const struct programs *p, uint64_t memory_id);

/*
 * Searches all threads of the node for threads that belong to jobs but are not counted yet. Returns 0; -1 with @err
 * set.
 */
int programs__scan(struct programs *p, struct error *err);

/*
 * Like programs__scan(), but searches only the threads in the job's cgroup @cgroup and below it. The programs must
 * already know the cgroup. Returns 0; -1 with @err set.
 */
int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err);

/* Reads the totals of a job or step. Returns 0; -1 if it has none. */
int programs__totals(struct programs *p, uint64_t id, struct totals *totals);

/*
 * Sum up what live threads have not added to the totals yet, for all jobs with a slot.
 *
 * programs__samples_begin() starts a walk over all threads. It returns the walk; -1 with @err set.
 *
 * programs__samples_go_on() handles the next threads of @walk, some tens of them. It returns 1 if there may be more
 * threads. It returns 0 at the end of the walk, or -1 with @err set; the walk is then closed.
 *
 * programs__sample() then reads the sum of the job with @slot. It returns 0; -1 if there is none.
 */
int programs__samples_begin(struct programs *p, struct error *err);
int programs__samples_go_on(int walk, struct error *err);
int programs__sample(struct programs *p, unsigned int slot, struct sample *sample);

/*
 * Returns how much memory the kernel holds for the memory cgroup with the directory @cgroup_fd and can reclaim
 * (bpf/programs/slab.bpf.c), in bytes. Returns -1 if not known, or if there are 4,096 or more cgroups below it.
 */
int64_t programs__slab_bytes(struct programs *p, int cgroup_fd);

/*
 * Calls @take for each live thread of @job; 0: of all jobs. Only one process of this node may make such a walk at a
 * time. Returns 0; -1 if the walk is not possible.
 */
int programs__living(struct programs *p, uint64_t job, void (*take)(const struct living *living, void *data),
		     void *data);

/* Reads the waits of the job @job with @slot as a whole. Returns 0; -1 if they were not followed. */
int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Stops following the waits of the job @job with @slot as a whole. The reason is that the job waited @waits times a
 * second on @cpus CPUs. The states of its threads are still counted. Returns 0; -1 with @err set.
 */
int programs__leave(struct programs *p, unsigned int slot, uint64_t job, uint64_t waits, unsigned int cpus,
		    struct error *err);

/*
 * Returns true if the waits of the job @job with @slot are no longer followed. The left_ members of *@pressure then say
 * when and why.
 */
bool programs__was_left(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * Reads the CPU time that the user's threads of the job used on each of the first @cpus CPUs, in ns. Returns 0; -1 if
 * this was not followed.
 */
int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus);

/* Call @take for each tool, file system or file of @job, in no order. Return 0; -1 if out of memory. */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data);
int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data);
int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data);

/*
 * Calls @take for each step of @job whose totals the kernel programs made themselves. @id: the id of the step's cgroup;
 * @first_pid: the step's first process. Returns 0; -1 if out of memory.
 */
int programs__found_steps(struct programs *p, uint64_t job, void (*take)(uint64_t id, uint64_t first_pid, void *data),
			  void *data);

/* Deletes all map entries of a job and its steps, and frees the job's slot. */
void programs__forget(struct programs *p, uint64_t job);

/*
 * Deletes the shares of all users without jobs (@has_jobs), and the counts of the entries that these users have in the
 * tables of processes.
 */
void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data);

/* Forgets all jobs that @known does not know. Such jobs are left if a stintd was killed just before it forgot them. */
void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data);

/*
 * The ring buffer. programs__events_fd() becomes readable if the ring buffer fills faster than it is emptied.
 * programs__drain() calls @take, set by programs__on_event(), for each event in the ring buffer.
 */
int programs__events_fd(struct programs *p);
void programs__drain(struct programs *p);
bool programs__events_fill(const struct programs *p); /* whether a quarter of the ring buffer is in use */
int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err);

#endif
