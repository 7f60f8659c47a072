/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open jobs of this node. */
#ifndef STINT_JOB_H
#define STINT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/host/cgroup.h"
#include "collector/job/job_gpus.h"
#include "collector/job/job_oom.h"
#include "collector/job/job_phase.h"
#include "collector/job/job_progress.h"
#include "collector/job/job_series.h"
#include "collector/job/job_timeline.h"
#include "collector/job/node_sums.h"
#include "collector/job/wait_rate.h"
#include "common/conf.h"
#include "common/control.h"

#define JOB_STEPS_MAX 4096
/* Most listed tasks of a step. Tasks above a limit are only counted. */
#define JOB_TASKS_MAX 4096
#define JOB_ALL_TASKS_MAX 16384 /* of a job */
/* Most listed tasks of all jobs. If half of them are used, no job gets more than JOB_TASKS_FEW. */
#define JOBS_TASKS_MAX 131072
#define JOB_TASKS_FEW 256

/* Memory peaks of a cgroup; -1: not known. */
struct memory_peaks {
	int64_t used_bytes;
	int64_t swap_bytes;
	int64_t charged_bytes; /* the kernel's own peak */
	int64_t limit_bytes;
	/* Most huge pages (hugetlbfs) at a time; never known for a step. */
	int64_t huge_bytes;
};

struct job_task {
	uint32_t rank;
	int32_t pid;
};

struct job_step {
	uint32_t id;      /* Slurm's */
	uint64_t cgroup;  /* id; 0: none */
	int32_t stepd_pid; /* slurmstepd; 0: not known */
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME of its start; 0: not known */
	uint64_t start_ns;    /* CLOCK_BOOTTIME before the first task */
	uint64_t end_ns;      /* CLOCK_BOOTTIME; 0: not ended */
	int32_t exit_status;  /* valid with end_ns */
	uint32_t nodes;
	uint32_t task_count;
	struct job_task *tasks;
	uint32_t tasks_here;
	bool found_late; /* ended before stintd read its cgroup */
	char *directory; /* relative to the job's memory cgroup; NULL: not known */
	struct memory_peaks memory;
};

/* What messages say about the job. The members are named as in struct control_message. */
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
	int32_t umask; /* of the batch step; without a batch step, of the first step; -1: not known */
	enum control_mode mode;
	char *node;
	char *cluster;
	char *user;
	char *partition;
	char *node_list;
	char *work_dir;
	char *output;
	char *gpus;
};

/* How well the CPU time from before counting is known. */
enum before_known {
	BEFORE_FOUND,
	BEFORE_ROUGH, /* exact to some milliseconds */
	BEFORE_UNKNOWN,
};

struct job_user {
	struct job_user *next;
	uint32_t uid;
	unsigned int jobs;
	unsigned int counted; /* jobs in the kernel programs' tables (collector/share_tables.h) */
};

struct job_counting {
	uint64_t registered_ns; /* CLOCK_BOOTTIME when counting began */
	/* CPU time of the job's cgroups from before counting, as far as known. */
	uint64_t before_cpu_ns;
	uint64_t before_base_ns; /* before_cpu_ns plus counted CPU time, at registered_ns */
	enum before_known before;
	bool late;        /* counting began too late */
	char late_why[256];
	bool anew;        /* earlier counts were not found */
	bool cpu_unknown; /* the live threads could not be read */
	bool unseen;      /* an earlier stintd handed nothing over */
};

struct job_extern {
	bool ends_job;  /* the job gets no epilog */
	bool announced; /* a message told its begin */
	bool ended;     /* a message told its end */
	int signal;     /* that ended its process; 0: not known */
};

/* Valid in all phases except JOB_OPEN. */
struct job_closing {
	uint64_t close_ns; /* CLOCK_BOOTTIME of the epilog's message */
	bool no_epilog;    /* stintd closed the job itself */
	int reply_fd;      /* the waiting epilog; -1: none */
	bool reply_kept;   /* the epilog waits only for the record */
	bool apart;        /* a child must build the record, not the keeper */
	/* In JOB_BUILDING: the job's child, or the keeper (collector/record/keeper.h). */
	int builder_pid;
	uint64_t keeper_turn; /* number of the keeper's answer */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME when stintd tries again; 0: no try failed */
};

struct job {
	struct job *next;
	struct job_user *user;
	uint64_t key;     /* id of the first cgroup, for the maps; 0: none */
	struct job_about about;
	/* The latest cgroup. Without an extern step, Slurm makes a new cgroup of the job for each step. */
	struct cgroup_job cgroup;
	struct error no_cgroup;   /* why it was not found */
	/* When the first message was sent. Distinguishes jobs with the same id. */
	uint64_t first_unix_ns;
	uint64_t opened_ns;      /* CLOCK_BOOTTIME of the first step; 0: none */
	uint64_t opened_unix_ns; /* the same as Unix time */
	enum job_phase phase;
	struct job_counting counting;
	struct job_extern extern_step;
	struct job_closing closing;
	bool option_known; /* mode and output are not defaults */
	bool off;         /* a step had --stint=off */
	/* The restart count from the epilog, if it is higher than that of the steps; otherwise 0. */
	uint32_t epilogs_restarts;
	uint64_t left_ns; /* CLOCK_BOOTTIME when the job had left; 0: not yet */
	struct job_step *steps;
	uint32_t step_count;
	uint64_t steps_lost;
	uint32_t tasks; /* of all steps */
	uint64_t tasks_lost; /* not listed for lack of room */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	struct job_gpus gpus;
	__u64 counted[ABI_USES_SENT]; /* totals at the last sample */
	unsigned int slot; /* slot in the maps (collector/kernel/slots.h); 0: none */
	struct wait_rate wait_rate;
	struct cgroup_memory highest; /* highest memory values since the last sample */
	bool was_read;                /* highest has values */
	__u64 so_far[ABI_USES_SENT]; /* sums at the last walk over all threads */
	uint64_t so_far_ns;          /* CLOCK_BOOTTIME of that walk */
	bool so_far_known;
	bool so_far_old; /* the query uses an older walk */
	bool queried; /* set in a child that answers a query */
	int64_t latest[SERIES_LEVELS]; /* of the last sample; valid with latest_known */
	bool latest_known;
	/* At the last sample: living threads without Slurm's, and processes that had begun. */
	uint64_t user_threads;
	uint64_t started;
	struct job_part part; /* in the node's sums */
	struct memory_peaks memory;
	bool steps_left_out; /* too many steps were open */
	char cpus[1024];  /* CPUs of the cpuset; empty: not known */
};

#define JOBS_CLOSED_MAX 256 /* notes of closed jobs can come late */

struct closed_job {
	uint32_t job_id;
	char node[256];
	uint64_t close_ns; /* CLOCK_BOOTTIME of the epilog; 0: free entry */
	bool no_epilog;
};

struct jobs {
	struct job *first;
	int count;
	struct job_user *users;
	unsigned int user_count;
	uint32_t tasks;
	struct closed_job closed[JOBS_CLOSED_MAX]; /* a ring */
	unsigned int closed_next;
};

/* Returns the open job of @message; NULL if there is none. A job that is being closed does not count. */
struct job *jobs__find(struct jobs *jobs, const struct control_message *message);

struct job *jobs__find_key(struct jobs *jobs, uint64_t key);

/* Returns the job whose record the child @pid builds; NULL if there is none. */
struct job *jobs__find_builder(struct jobs *jobs, int pid);

struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Remembers the closed job of @message, a CONTROL_JOB_CLOSE. jobs__was_closed() is then true for earlier messages of
 * this attempt.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Returns true if the attempt of @message was closed before. If stintd answers too late, a message comes twice: the
 * plugin then also leaves a note.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

bool job_is_extern(const struct control_message *message);

/* Returns true if a step other than the extern step ran here. Only such a step knows the option --stint. */
bool job_has_step(const struct job *job);

/* Returns the step @id, a number or STEP_BATCH, STEP_EXTERN or STEP_INTERACTIVE; NULL if it did not run here. */
const struct job_step *job_find_step(const struct job *job, uint32_t id);

/*
 * Returns true if @job was closed on this node, and steps came later. A user can end the extern step alone
 * (end_outlives_extern()). Nothing tells when the later steps are over.
 */
bool job_continues(const struct job *job);

/*
 * Returns when the job was over here, in ns of CLOCK_BOOTTIME. This is the time of the epilog, or of the end of the
 * last step or process.
 *
 * @process_ns: end of the last process; 0: not known
 */
uint64_t job_end_ns(const struct job *job, uint64_t process_ns);

/* Returns true if the job of @message was closed without an epilog, so its report exists. */
bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message);

/*
 * Moves @job to its next phase (collector/job/job_phase.h). Returns false if @event is unexpected, which is a bug in
 * stintd. Logs and counts such an event.
 */
bool job_enter(struct job *job, enum job_event event);

uint64_t job_unexpected(void);

void jobs__remove(struct jobs *jobs, struct job *job);

/* Adds to @job those facts of @message that @job does not have yet. */
void job__learn(struct job *job, const struct control_message *message);

void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory);

/* Returns true if the step's memory can be read. */
bool job_step__is_open(const struct job_step *step);

/* Returns the step @id, which may be new; NULL if the job has too many steps, or if out of memory. */
struct job_step *job__step(struct job *job, uint32_t id);

/*
 * Adds a task to @step. Returns false if the task is known, has no pid, or finds no room. A task without room is
 * counted in tasks_lost.
 */
bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task);

/* Writes the name of a step to @text: "batch", "extern", "interactive", "0"... Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

/* Returns how much to report. @by_default: for a job without an option */
enum control_mode job_mode(const struct job *job, enum conf_mode by_default);

#endif
