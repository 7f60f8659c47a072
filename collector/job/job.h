/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open jobs of this node: what the plugin's messages say about each job, and what stintd has collected since. */
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
#define JOB_TASKS_MAX 4096 /* of a step, on this node; tasks beyond this and the next two limits are only counted */
#define JOB_ALL_TASKS_MAX 16384 /* of all steps of a job */
#define JOBS_TASKS_MAX 131072 /* of all jobs; if half are used, a job with JOB_TASKS_FEW tasks gets no more */
#define JOB_TASKS_FEW 256

/* The memory peaks of a cgroup, as read from its files; -1: not read, or the cgroup has no such value. */
struct memory_peaks {
	int64_t used_bytes;
	int64_t swap_bytes;
	int64_t charged_bytes; /* the kernel's own peak, when last read */
	int64_t limit_bytes;   /* as last read */
	int64_t huge_bytes;    /* the most huge pages (hugetlbfs) that the job's processes had at one time; only for the job */
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
	bool found_late; /* the step was over before stintd read its cgroup; the kernel programs made its totals */
	char *directory; /* of the step's memory cgroup, relative to the job's; NULL: none, or not known */
	struct memory_peaks memory;
};

/*
 * What messages say about the job. The fields have the same names as in struct control_message. Each text is allocated
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
	int32_t umask; /* of the batch step, or of the first step if there is no batch step; -1: not known */
	enum control_mode mode;
	char *node;
	char *cluster;
	char *user;
	char *partition;
	char *node_list;
	char *work_dir;
	char *output;
};

/* How well stintd knows the CPU time that a job's cgroup had used before counting began. */
enum before_known {
	BEFORE_FOUND,
	BEFORE_ROUGH, /* exact except for CPU time within a few milliseconds */
	BEFORE_UNKNOWN,
};

/* A user who has jobs on this node. */
struct job_user {
	struct job_user *next;
	uint32_t uid;
	unsigned int jobs;
	unsigned int counted; /* jobs that have entries in the kernel programs' tables (collector/share_tables.h) */
};

/* How the job's current cgroup is counted. */
struct job_counting {
	uint64_t registered_ns; /* CLOCK_BOOTTIME when counting began */
	uint64_t before_cpu_ns; /* CPU time of the job's cgroups before each was counted, as far as known */
	uint64_t before_base_ns; /* before_cpu_ns plus counted CPU time, as both were before the current cgroup was counted */
	enum before_known before;
	bool late;        /* counting began later than the job */
	char late_why[256];
	bool anew;        /* stintd found no counts of the job and started at zero */
	bool cpu_unknown; /* live threads could not be read, so the uncounted CPU time is not known */
	bool unseen;      /* a former stintd saw the job begin, but was killed or failed before it handed its data over */
};

/* The extern step of the job. */
struct job_extern {
	bool ends_job;  /* no epilog will come: the job has left the node when its extern step is over */
	bool announced; /* a message said that the step began, now or before stintd knew this job */
	bool ended;     /* a message said that the step ended */
	int signal;     /* the signal that ended the step's only process; 0: not known */
};

/* The end of the job. Valid in all phases except JOB_OPEN. */
struct job_closing {
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent */
	bool no_epilog;    /* stintd closed the job itself, because no epilog came */
	int reply_fd;      /* the connection of the waiting epilog; -1: none */
	bool reply_kept;   /* the epilog waits only until the record is on disk, not until the report is written */
	bool apart;        /* a separate child must build the record, not the keeper */
	int builder_pid;   /* in JOB_BUILDING: pid of the job's child or of the keeper (collector/record/keeper.h) */
	uint64_t keeper_turn; /* the number of the record, if the keeper writes it */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME of the next try to build the record; 0: no try has failed */
};

struct job {
	struct job *next;
	struct job_user *user;
	uint64_t key;     /* the job's name for the kernel programs: the id of its first cgroup; 0: none */
	struct job_about about;
	struct cgroup_job cgroup; /* the latest cgroup: without an extern step Slurm makes a new one for each step */
	struct error no_cgroup;   /* why the job has no cgroup */
	/* when the job's first message was sent; distinguishes this job from another one with the same number */
	uint64_t first_unix_ns;
	uint64_t opened_ns;      /* CLOCK_BOOTTIME when the first step was opened; 0: no step was seen */
	uint64_t opened_unix_ns; /* the same moment by CLOCK_REALTIME */
	enum job_phase phase;
	struct job_counting counting;
	struct job_extern extern_step;
	struct job_closing closing;
	bool option_known; /* the mode and output in about come from a step or the epilog, not from a default */
	bool off;         /* a step said that the job must not be counted */
	uint32_t epilogs_restarts; /* the epilog's attempt number, if it is later than that of the steps; otherwise 0 */
	uint64_t left_ns; /* CLOCK_BOOTTIME when stintd found that the job has left the node; 0: not left */
	struct job_step *steps;
	uint32_t step_count;
	uint64_t steps_lost;
	uint32_t tasks; /* of all steps */
	uint64_t tasks_lost; /* tasks without a name, because there was no room */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	__u64 counted[ABI_USES_SENT]; /* the totals at the last sample */
	unsigned int slot; /* the job's slot in the kernel programs' tables at the last sample; 0: none */
	struct wait_rate wait_rate;
	struct cgroup_memory highest; /* the highest memory values since the last sample */
	bool was_read;                /* highest has values */
	__u64 so_far[ABI_USES_SENT]; /* what the job had used at the last walk over all threads, with its live threads */
	uint64_t so_far_ns;          /* CLOCK_BOOTTIME of that walk */
	bool so_far_known;
	bool so_far_old; /* a query came so soon after this walk that no other walk is made */
	bool queried; /* the record answers a query while the job still runs; set only in the child that builds it */
	struct memory_peaks memory;
	bool steps_left_out; /* the memory of some steps was not read, because the job has too many */
	char cpus[1024];  /* of the job's cpuset; empty: not known */
};

#define JOBS_CLOSED_MAX 256 /* so many closed jobs are remembered, because a late note of a closed job comes within some seconds */

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

/* Finds the open job of @message, by node and id. Does not find a job that is being closed. NULL if there is none. */
struct job *jobs__find(struct jobs *jobs, const struct control_message *message);

/* Finds a job by its key. NULL if there is none. */
struct job *jobs__find_key(struct jobs *jobs, uint64_t key);

/* Finds the job whose own child @pid builds its record. NULL if there is none. */
struct job *jobs__find_builder(struct jobs *jobs, int pid);

/* Adds the job of @message. Returns the job; NULL if out of memory. */
struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Adds the job of @message, a CONTROL_JOB_CLOSE, to the list of closed jobs. Messages about this attempt of the job
 * that were sent before @message no longer matter.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Returns true if @message is from a job that has been closed since. If the plugin gets no answer in time, it leaves a
 * note. If stintd was only slow, it gets both the message and the note.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

/* Returns true if @message is about an extern step. */
bool job_is_extern(const struct control_message *message);

/*
 * Returns true if @job has run a step on this node other than the extern step. Only such a step can have the job's
 * option.
 */
bool job_has_step(const struct job *job);

/*
 * Finds the step with this @id: a number, STEP_BATCH, STEP_EXTERN or STEP_INTERACTIVE. NULL if no such step ran here.
 */
const struct job_step *job_find_step(const struct job *job, uint32_t id);

/*
 * Returns true if @job continues a job that was already closed on this node. A user can end the extern step alone, by
 * its number or with a signal to all steps. On a node without the batch step, the end of the extern step closes the job
 * (end_outlives_extern()). Later steps are then such a job, and nothing tells when they are over.
 */
bool job_continues(const struct job *job);

/*
 * Returns when the job was over on this node, in ns, CLOCK_BOOTTIME. With an epilog, this is when the epilog came.
 * Without one, it is when the last step or process ended: stintd may have waited for minutes before it closed the job.
 *
 * @process_ns: the end of the job's last process; 0: not known
 */
uint64_t job_end_ns(const struct job *job, uint64_t process_ns);

/*
 * Returns true if the job of @message was closed without its epilog, so its report has already been made. If the job is
 * no longer open, @message comes from the late epilog.
 */
bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message);

/*
 * Moves @job to the phase that follows when @event comes (collector/job/job_phase.h). If the current phase does not
 * expect @event, there is a bug in stintd: logs and counts it, and keeps the phase.
 *
 * Returns true if the event was expected.
 */
bool job_enter(struct job *job, enum job_event event);

/* Returns the number of events that no phase expected. status.json shows it. */
uint64_t job_unexpected(void);

/* Removes a job and frees it. */
void jobs__remove(struct jobs *jobs, struct job *job);

/* Adds to @job what @message knows and the job lacks. For example, an extern step knows neither array nor option. */
void job__learn(struct job *job, const struct control_message *message);

/* Raises @peaks to the values in @memory, which were read from a cgroup. */
void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory);

/* Returns true if the step's memory can be read: the step has not ended, and its memory cgroup is known. */
bool job_step__is_open(const struct job_step *step);

/* Finds the step @id, or adds it. NULL if the job has too many steps, or if out of memory. */
struct job_step *job__step(struct job *job, uint32_t id);

/*
 * Adds one task to a step of @job. Returns false if the task is already known, has no valid pid, or if there is no
 * room. A task without room is only counted.
 */
bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task);

/* Writes the name of a step to @text: "batch", "extern", "interactive", "0"... Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

/* Returns how much to report about @job: its own option, or @by_default from stint.conf if it has none. */
enum control_mode job_mode(const struct job *job, enum conf_mode by_default);

#endif
