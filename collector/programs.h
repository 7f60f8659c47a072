/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel programs and their maps: loaded and pinned, or taken over from the
 * pins of an earlier stintd, so that counting goes on while none runs.
 */
#ifndef STINT_PROGRAMS_H
#define STINT_PROGRAMS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/record.h"
#include "collector/common/conf.h"
#include "collector/common/error.h"
#include "collector/common/programs.h"

struct programs;

struct program_state {
	const char *name;
	bool loaded;
	bool needed;     /* without it nothing can be counted */
	char reason[160]; /* why it is not loaded */
	const char *gap; /* what is missing in reports as it is, a dotted name; NULL: nothing */
	const char *gap_reason;
};

/*
 * Takes over what is pinned in the bpf_dir of @conf and counts for a job, or loads and pins it anew there; of
 * programs of another layout that count for a job, it takes over what they have counted, and they are replaced. A
 * program that the kernel refuses is left out unless nothing works without it, and so is one that
 * @conf does not want; of what is taken over, that is let go, and what is wanted and not there stays out.
 * When bpf_dir lies on no bpffs, all works, but only as long as this process lives.
 *
 * Returns NULL with @err set when counting is not possible.
 */
struct programs *programs__open(const struct conf *conf, struct error *err);

/* Lets go; what is pinned stays. */
void programs__close(struct programs *p);

/* Whether all was taken over from pins. */
bool programs__taken_over(const struct programs *p);

/*
 * Whether programs of another layout were found, and what they had counted was taken over into these. Where it could
 * not be, *@why, of them, is not empty.
 */
bool programs__replaced(const struct programs *p, const char **why);

/*
 * What the job has used by now, CPU time that live threads have not added to the totals yet among it, and CPU time that
 * none of them will add: given to its totals. Both where programs__replaced() alone. Return 0; -1 with @err set.
 */
int programs__cpu_ns(struct programs *p, uint64_t job, uint64_t *ns, struct error *err);
int programs__give(struct programs *p, uint64_t job, uint64_t cpu_ns, uint64_t replaced_ns, struct error *err);

/* The version of the stintd whose programs count, and whether they are this one's. */
const char *programs__version(const struct programs *p, bool *same);

/* How many things lie where the programs are pinned, and are not stint's: they are left alone. */
int programs__foreign_pins(const struct programs *p);

/* Whether it is pinned, and so outlives this process. */
bool programs__pinned(const struct programs *p);

/* Fills @states; returns how many. One that this kernel has no need of is not among them. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS]);

/* Whether @program counts. */
bool programs__loaded(const struct programs *p, enum program program);

/* The settings in force. */
const struct settings *programs__settings(const struct programs *p);

/* CLOCK_BOOTTIME since when it counts, in ns. */
uint64_t programs__since_ns(const struct programs *p);

/*
 * Sets by which hierarchy membership is told, and which one has the memory
 * controller (-1: none). Returns 0; -1 with @err set.
 */
int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err);

/*
 * Learns which program file is Slurm's step daemon, from the running one @pid.
 * Returns 0, also when it is gone already; -1 with @err set.
 */
int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err);

/*
 * Makes the totals of the job @job, whose key is the id of its first cgroup, or of
 * one of its steps; what is there stays. *@existed: the job's totals were there.
 * A new job gets a slot, if there is one left. Tasks of @cgroup count for the job from now on.
 * Returns 0; -1 with @err set.
 */
int programs__add_job(struct programs *p, uint64_t job, uint64_t cgroup, bool *existed, struct error *err);
int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err);

/*
 * Has the peak of the memory cgroup @memory_id told as that of @id, a job's or a
 * step's of @job. Returns 0; -1 with @err set.
 */
int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err);

/* Whether there was room for that. */
bool programs__has_memory(const struct programs *p, uint64_t memory_id);

/* Looks through all tasks for members that are not counted yet. Returns 0; -1 with @err set. */
int programs__scan(struct programs *p, struct error *err);

/* The totals of a job or step. Returns 0, or -1 when there are none. */
int programs__totals(struct programs *p, uint64_t id, struct totals *totals);

/*
 * Sums up, for all jobs with a slot, what their live threads have not added to the totals yet. Returns 0; -1 with @err
 * set. programs__sample() then tells the sum of the job with @slot; -1 when there is none.
 */
int programs__take_samples(struct programs *p, struct error *err);
int programs__sample(struct programs *p, unsigned int slot, struct sample *sample);

/*
 * What the job @job with @slot waited for as a whole, up to now. Returns 0; -1 when that was not followed.
 */
int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure);

/*
 * CPU time that the user's threads of the job used on each of the first @cpus CPUs, in ns. Returns 0; -1 when that was
 * not followed.
 */
int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus);

/*
 * Call @take for each tool, file system and file of @job, in no order. Return 0; -1 when memory ran out.
 */
int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data);
int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data);
int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data);

/* Forgets a job with its steps and all that is told of it; its slot is free. */
void programs__forget(struct programs *p, uint64_t job);

/*
 * Forgets all jobs that @known does not know: a stintd that was killed left them when it was about to forget them
 * itself.
 */
void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data);

/*
 * The ring. programs__events_fd() becomes readable when it fills faster than it
 * is emptied; programs__drain() hands over what is there.
 */
int programs__events_fd(struct programs *p);
void programs__drain(struct programs *p);
int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err);

#endif
