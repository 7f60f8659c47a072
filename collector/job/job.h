/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open jobs of this node. Holds what the plugin's messages say about each job, and what stintd has collected since.
 */
#ifndef STINT_JOB_H
#define STINT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/host/cgroup.h"
#include "collector/job/job_oom.h"
#include "collector/job/job_phase.h"
#include "collector/job/job_progress.h"
#include "collector/job/job_series.h"
#include "collector/job/job_timeline.h"
#include "collector/job/wait_rate.h"
#include "common/conf.h"
#include "common/control.h"

#define JOB_STEPS_MAX 4096
/* The most tasks of a step on this node that are listed; tasks beyond this and the next two limits are only counted. */
#define JOB_TASKS_MAX 4096
#define JOB_ALL_TASKS_MAX 16384 /* the most tasks of a job, over all its steps */
/* The most tasks of all jobs; if half of them are used, a job that has JOB_TASKS_FEW tasks gets no more. */
#define JOBS_TASKS_MAX 131072
#define JOB_TASKS_FEW 256

/* The memory peaks of a cgroup, as read from the cgroup's files. -1: not read, or the cgroup has no such value. */
struct memory_peaks {
	int64_t used_bytes;
	int64_t swap_bytes;
	int64_t charged_bytes; /* the kernel's own peak, as last read */
	int64_t limit_bytes;   /* as last read */
	/*
	 * The most huge pages (hugetlbfs) that the job's processes had at one time; known for a job, but not for a
	 * step.
	 */
	int64_t huge_bytes;
};

struct job_task {
	uint32_t rank;
	int32_t pid;
};

struct job_step {
	uint32_t id;      /* Slurm's */
	uint64_t cgroup;  /* id of the step's cgroup; 0: none */
	int32_t stepd_pid; /* pid of the step's slurmstepd; 0: not known */
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME when slurmd started this slurmstepd; 0: not known */
	uint64_t start_ns;    /* CLOCK_BOOTTIME when the step's first task was about to begin */
	uint64_t end_ns;      /* CLOCK_BOOTTIME; 0: not ended */
	int32_t exit_status;  /* valid with end_ns */
	uint32_t nodes;
	uint32_t task_count;
	struct job_task *tasks;
	uint32_t tasks_here;
	bool found_late; /* the step was over before stintd read its cgroup, but the kernel programs had made its totals */
	char *directory; /* directory of the step's memory cgroup, relative to the job's memory cgroup; NULL: none, or not known */
	struct memory_peaks memory;
};

/*
 * What messages say about the job. Each field has the same name as in struct control_message. Each string is allocated
 * with its actual length.
 */
struct job_about {
	uint32_t job_id;
	uint32_t uid;
	uint32_t gid;
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t restart_count;
	uint64_t job_memory_mb;
	int32_t exit_status;
	int32_t derived_status; /* -1: not known */
	int32_t umask; /* umask of the batch step, or of the first step if there is no batch step; -1: not known */
	enum control_mode mode;
	char *node;
	char *cluster;
	char *user;
	char *partition;
	char *node_list;
	char *work_dir;
	char *output;
};

/* How well stintd knows the CPU time that the job's cgroup had used before counting began. */
enum before_known {
	BEFORE_FOUND,
	BEFORE_ROUGH, /* exact to a few milliseconds of CPU time */
	BEFORE_UNKNOWN,
};

/* A user who has jobs on this node. */
struct job_user {
	struct job_user *next;
	uint32_t uid;
	unsigned int jobs;
	unsigned int counted; /* number of jobs that have entries in the kernel programs' tables (collector/share_tables.h) */
};

/* How the job's current cgroup is counted. */
struct job_counting {
	uint64_t registered_ns; /* CLOCK_BOOTTIME when counting began */
	/* CPU time that each of the job's cgroups had used before it was counted, added up as far as known. */
	uint64_t before_cpu_ns;
	uint64_t before_base_ns; /* before_cpu_ns plus the counted CPU time, both from just before the current cgroup was counted */
	enum before_known before;
	bool late;        /* counting began after the job had begun */
	char late_why[256];
	bool anew;        /* stintd found no counts of the job, so counting began again at zero */
	bool cpu_unknown; /* the uncounted CPU time is not known, because live threads could not be read */
	bool unseen;      /* a former stintd knew the job, but was killed or failed before it handed over the job's data */
};

/* The extern step of the job. */
struct job_extern {
	bool ends_job;  /* the job gets no epilog, so it has left the node when its extern step is over */
	bool announced; /* a message said that the extern step began, perhaps before this stintd knew the job */
	bool ended;     /* a message said that the extern step ended */
	int signal;     /* the signal that ended the only process of the extern step; 0: not known */
};

/* How the job ended. Valid in all phases except JOB_OPEN. */
struct job_closing {
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent */
	bool no_epilog;    /* stintd closed the job itself, because the job got no epilog */
	int reply_fd;      /* connection of the epilog that waits for an answer; -1: none */
	bool reply_kept;   /* the epilog waits only until the record is on disk, and not until the report is written */
	bool apart;        /* a separate child must build the record, because the keeper must not */
	/*
	 * In JOB_BUILDING: pid of the process that builds the record, the job's child or the keeper
	 * (collector/record/keeper.h).
	 */
	int builder_pid;
	uint64_t keeper_turn; /* if the keeper writes the record: the number that the keeper's answer repeats */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME of the next attempt to build the record; 0: no attempt has failed */
};

struct job {
	struct job *next;
	struct job_user *user;
	uint64_t key;     /* names the job for the kernel programs: the id of the job's first cgroup; 0: the job has no cgroup */
	struct job_about about;
	/* The job's latest cgroup; without an extern step, Slurm makes a new cgroup of the job for each step. */
	struct cgroup_job cgroup;
	struct error no_cgroup;   /* why stintd found no cgroup of the job */
	/* When the job's first message was sent. This distinguishes the job from another one with the same number. */
	uint64_t first_unix_ns;
	uint64_t opened_ns;      /* CLOCK_BOOTTIME when the message of the job's first step was sent; 0: no step was seen */
	uint64_t opened_unix_ns; /* the same moment as Unix time */
	enum job_phase phase;
	struct job_counting counting;
	struct job_extern extern_step;
	struct job_closing closing;
	bool option_known; /* the mode and output in the member about were set by a step or the epilog, so they are not defaults */
	bool off;         /* a step had --stint=off, so the job must not be counted */
	/* Attempt number that the epilog gave, if it is later than the number that the steps gave; otherwise 0. */
	uint32_t epilogs_restarts;
	uint64_t left_ns; /* CLOCK_BOOTTIME when stintd noticed that the job had left the node; 0: the job has not left */
	struct job_step *steps;
	uint32_t step_count;
	uint64_t steps_lost;
	uint32_t tasks; /* of all steps */
	uint64_t tasks_lost; /* number of tasks that are only counted, because there was no room to list them */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	__u64 counted[ABI_USES_SENT]; /* the job's totals at the last sample */
	unsigned int slot; /* the job's slot (collector/kernel/slots.h) at the last sample; 0: none */
	struct wait_rate wait_rate;
	struct cgroup_memory highest; /* the highest memory values that were read since the last sample */
	bool was_read;                /* highest has values */
	__u64 so_far[ABI_USES_SENT]; /* what the job, including its live threads, had used at the last walk over all threads */
	uint64_t so_far_ns;          /* CLOCK_BOOTTIME of that walk */
	bool so_far_known;
	bool so_far_old; /* a query came so soon after the last walk that its answer uses that walk */
	bool queried; /* the record answers a query while the job still runs; set only in the child that builds the record */
	struct memory_peaks memory;
	bool steps_left_out; /* the memory of some steps was not read, because too many steps are open */
	char cpus[1024];  /* list of the CPUs of the job's cpuset; empty: not known */
};

#define JOBS_CLOSED_MAX 256 /* stintd remembers this many closed jobs, because a note of a closed job can come some seconds late */

struct closed_job {
	uint32_t job_id;
	char node[256];
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent; 0: no entry */
	bool no_epilog; /* the job was closed without an epilog */
};

struct jobs {
	struct job *first;
	int count;
	struct job_user *users;
	unsigned int user_count;
	uint32_t tasks; /* tasks of all jobs */
	struct closed_job closed[JOBS_CLOSED_MAX]; /* a ring */
	unsigned int closed_next;
};

/*
 * Finds the open job with the node and the job id of @message. Ignores jobs that are being closed. Returns NULL if
 * there is none.
 */
struct job *jobs__find(struct jobs *jobs, const struct control_message *message);

/* Finds the job with this @key. Returns NULL if there is none. */
struct job *jobs__find_key(struct jobs *jobs, uint64_t key);

/* Finds the job whose record the child @pid builds. Returns NULL if there is none. */
struct job *jobs__find_builder(struct jobs *jobs, int pid);

/* Adds the job of @message. Returns the job; NULL if out of memory. */
struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Adds the job of @message, a CONTROL_JOB_CLOSE, to the list of closed jobs. From now on, jobs__was_closed() returns
 * true for messages about this attempt of the job that were sent before @message.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Returns true if @message is about an attempt of a job that has been closed since. This can happen because the plugin
 * leaves a note if it gets no answer in time. If stintd was only slow, stintd gets both the message and the note.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

/* Returns true if @message is about an extern step. */
bool job_is_extern(const struct control_message *message);

/*
 * Returns true if @job has run a step on this node other than the extern step. An extern step does not know the job's
 * option --stint.
 */
bool job_has_step(const struct job *job);

/*
 * Finds the step of @job with this @id: a number, STEP_BATCH, STEP_EXTERN or STEP_INTERACTIVE. Returns NULL if no such
 * step ran on this node.
 */
const struct job_step *job_find_step(const struct job *job, uint32_t id);

/*
 * Returns true if @job continues a job that was already closed on this node. The reason is that a user can end the
 * extern step alone, by its number or with a signal to all steps. On a node without the batch step, the end of the
 * extern step closes the job (end_outlives_extern()). Steps that come later then make up such a job, and nothing tells
 * when they are over.
 */
bool job_continues(const struct job *job);

/*
 * Returns when the job was over on this node, in ns of CLOCK_BOOTTIME. If the job had an epilog, this is when the
 * epilog came. Otherwise it is when the last step or process ended, because stintd may have waited for minutes before
 * it closed the job.
 *
 * @process_ns: the end of the job's last process; 0: not known
 */
uint64_t job_end_ns(const struct job *job, uint64_t process_ns);

/*
 * Returns true if the job of @message was closed without its epilog, so its report was already made. If the job is no
 * longer open, @message then comes from the job's late epilog.
 */
bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message);

/*
 * Moves @job to the phase that follows its current one when @event comes (collector/job/job_phase.h). An event that the
 * current phase does not expect shows a bug in stintd. In this case logs and counts the event, and keeps the phase.
 *
 * Returns true if the event was expected.
 */
bool job_enter(struct job *job, enum job_event event);

/* Returns how many events came that the job's phase did not expect. status.json shows this number. */
uint64_t job_unexpected(void);

/* Removes @job from @jobs and frees it. */
void jobs__remove(struct jobs *jobs, struct job *job);

/*
 * Adds to @job what @message says and @job does not have yet. For example, an extern step knows neither the array nor
 * the option --stint.
 */
void job__learn(struct job *job, const struct control_message *message);

/* Raises @peaks to the values in @memory, which were read from the cgroup's files. */
void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory);

/* Returns true if the step's memory can be read, because the step has not ended and its memory cgroup is known. */
bool job_step__is_open(const struct job_step *step);

/*
 * Returns the step with this @id, and adds the step if the job does not have it. Returns NULL if the job has too many
 * steps or if out of memory.
 */
struct job_step *job__step(struct job *job, uint32_t id);

/*
 * Adds one task to @step of @job. Returns false if the task is already known or has no valid pid, or if there is no
 * room to list it. A task without room is only counted.
 */
bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task);

/* Writes the name of a step to @text: "batch", "extern", "interactive", "0"... Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

/* Returns how much to report about @job: the job's own option, or @by_default (from stint.conf) if the job has none. */
enum control_mode job_mode(const struct job *job, enum conf_mode by_default);

#endif
