/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open jobs of this host: what the plugin's messages say about them, and what was seen since. */
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
#define JOB_TASKS_MAX 4096 /* of a step, on this node; tasks beyond this and the next two limits are not named */
#define JOB_ALL_TASKS_MAX 16384 /* of all steps of a job */
#define JOBS_TASKS_MAX 131072 /* of all jobs; once there are half as many, a job that has JOB_TASKS_FEW gets no more */
#define JOB_TASKS_FEW 256

/* The memory peaks of a cgroup, from its reads; -1: not read, or it had no such value. */
struct memory_peaks {
	int64_t used_bytes;
	int64_t swap_bytes;
	int64_t charged_bytes; /* the kernel's own peak, as last read */
	int64_t limit_bytes;   /* as last read */
	int64_t huge_bytes;    /* huge pages (hugetlbfs) of its processes at one time; only for the job */
};

struct job_task {
	uint32_t rank;
	int32_t pid;
};

struct job_step {
	uint32_t id;      /* Slurm's */
	uint64_t cgroup;  /* 0: it has none */
	int32_t stepd_pid; /* its slurmstepd; 0 not known */
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME when slurmd started that; 0: not known */
	uint64_t start_ns;    /* CLOCK_BOOTTIME when its first task was about to begin */
	uint64_t end_ns;      /* CLOCK_BOOTTIME; 0: not ended */
	int32_t exit_status;  /* valid with end_ns */
	uint32_t nodes;
	uint32_t task_count;
	struct job_task *tasks;
	uint32_t tasks_here;
	bool found_late; /* it was over before the collector looked: the kernel programs made its totals */
	char *directory; /* of its memory cgroup, below the job's; NULL: it has none, or it is not known */
	struct memory_peaks memory;
};

/*
 * What messages say about the job: the fields of struct control_message with the same names. Texts are allocated with
 * their length.
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

/* How well stintd knows what a job's cgroup had used before it was counted. */
enum before_known {
	BEFORE_FOUND,
	BEFORE_ROUGH, /* except for what ran within some milliseconds */
	BEFORE_UNKNOWN,
};

/* A user with jobs here. */
struct job_user {
	struct job_user *next;
	uint32_t uid;
	unsigned int jobs;
	unsigned int counted; /* how many of them have entries in the kernel programs' tables
		 * (collector/share_tables.h) */
};

/* How its current cgroup is counted. */
struct job_counting {
	uint64_t registered_ns; /* CLOCK_BOOTTIME since when */
	uint64_t before_cpu_ns; /* used in its cgroups before they were counted, as far as is known */
	uint64_t before_base_ns; /* counted CPU time plus before_cpu_ns, from before its current cgroup was counted */
	enum before_known before;
	bool late;        /* it began after the job did */
	char late_why[256];
	bool anew;        /* this stintd found none of the job's counts, and started from zero */
	bool cpu_unknown; /* live threads could not be read, so it is not known how much CPU time was not counted */
	bool unseen;      /* an earlier stintd saw the job begin, and was killed or failed before it handed that over */
};

/* Its extern step. */
struct job_extern {
	bool ends_job;  /* no epilog will come: the job has left the node when this step is over */
	bool announced; /* it has said that it began, or did so before this was known to be a job */
	bool ended;     /* it has said so */
	int signal;     /* the signal that ended its only process; 0: not known */
};

/* Its end: valid in all phases except JOB_OPEN. */
struct job_closing {
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent */
	bool no_epilog;    /* stintd closed it itself, because no epilog came */
	int reply_fd;      /* the connection of the epilog that waits; -1: none */
	bool reply_kept;   /* the epilog waits only until the record is on the disk, not until the report is written */
	bool apart;        /* only its own child builds its record */
	int builder_pid;   /* in JOB_BUILDING: that child, or the keeper (collector/record/keeper.h) */
	uint64_t keeper_turn; /* of its record, if the keeper builds it */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME; its report is not tried again before. 0: no try has failed */
};

struct job {
	struct job *next;
	struct job_user *user;
	uint64_t key;     /* its name for the kernel programs: the id of its first cgroup; 0: it has none */
	struct job_about about;
	struct cgroup_job cgroup; /* the latest one: without an extern step Slurm makes a new one for each step */
	struct error no_cgroup;   /* why it has none */
	/* when its first message was sent: distinguishes it from another job with the same number */
	uint64_t first_unix_ns;
	uint64_t opened_ns;      /* when its first step was opened, CLOCK_BOOTTIME; 0: no step was seen */
	uint64_t opened_unix_ns; /* the same moment by CLOCK_REALTIME */
	enum job_phase phase;
	struct job_counting counting;
	struct job_extern extern_step;
	struct job_closing closing;
	bool option_known; /* the mode and output above are the job's own, as far as is known */
	bool off;         /* a step said that the job must not be counted */
	uint32_t epilogs_restarts; /* the number that the epilog had, if it is later than that of the steps; otherwise
		 * 0 */
	uint64_t left_ns; /* CLOCK_BOOTTIME when stintd found that the job has left the node; 0: it has not */
	struct job_step *steps;
	uint32_t step_count;
	uint64_t steps_lost;
	uint32_t tasks; /* of all steps */
	uint64_t tasks_lost; /* not named because there was no room */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	__u64 counted[ABI_USES_SENT]; /* the totals at the last sample */
	unsigned int slot; /* at the last sample; 0: none */
	struct wait_rate wait_rate;
	struct cgroup_memory highest; /* the highest levels of its memory since the last sample */
	bool was_read;                /* there are such */
	__u64 so_far[ABI_USES_SENT]; /* what was used at the last walk over all threads, live ones included */
	uint64_t so_far_ns;          /* CLOCK_BOOTTIME of that walk */
	bool so_far_known;
	bool so_far_old; /* a query came too soon after that walk to make another one */
	bool queried; /* the record answers a query while the job keeps running: set only in the child that builds it */
	struct memory_peaks memory;
	bool steps_left_out; /* the memory of some steps was not read, because there were too many */
	char cpus[1024];  /* of its cpuset; empty: not known */
};

#define JOBS_CLOSED_MAX 256 /* the latest ones; a late note of such a job comes within some seconds */

struct closed_job {
	uint32_t job_id;
	char node[256];
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent; 0: no entry */
	bool no_epilog; /* it was closed without one */
};

struct jobs {
	struct job *first;
	int count;
	struct job_user *users;
	unsigned int user_count;
	uint32_t tasks; /* of all of them */
	struct closed_job closed[JOBS_CLOSED_MAX]; /* a ring */
	unsigned int closed_next;
};

/* Finds the open job of @message, by node and id; NULL: none. A job that is being closed is not found. */
struct job *jobs__find(struct jobs *jobs, const struct control_message *message);

/* Finds a job by its key; NULL: none. */
struct job *jobs__find_key(struct jobs *jobs, uint64_t key);

/* Finds the job whose record the process @pid builds, a child of its own; NULL: none. */
struct job *jobs__find_builder(struct jobs *jobs, int pid);

/* Adds the job of @message; NULL if memory ran out. */
struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Notes that @message, a CONTROL_JOB_CLOSE, was processed: messages about this attempt of the job that were sent before
 * it no longer matter.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Whether @message comes from a job that was closed since. A plugin without an answer in time leaves a note; if stintd
 * was only slow, it gets both.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

/* Whether @message is of an extern step. */
bool job_is_extern(const struct control_message *message);

/* Whether @job has run a step here that can have the job's option, unlike the extern step. */
bool job_has_step(const struct job *job);

/* Finds the step of this @id: a number, or STEP_EXTERN, ...; NULL: none of them ran here. */
const struct job_step *job_find_step(const struct job *job, uint32_t id);

/*
 * Whether it continues a job that was already closed here. The extern step may end alone: a user can end it by its
 * number, or with a signal to all steps. On a node without the batch step that closes the job (end_outlives_extern()).
 * Steps that begin later are such a job, and nothing says when they are over.
 */
bool job_continues(const struct job *job);

/*
 * When the job was over here, CLOCK_BOOTTIME: when its epilog came, or, without one, when its last step or process
 * ended. In that case stintd may have waited for minutes before it closed the job.
 *
 * @process_ns: the end of its last process; 0: not known
 */
uint64_t job_end_ns(const struct job *job, uint64_t process_ns);

/*
 * Whether the job of @message was closed without its epilog, so that its report has been made. If the job is no longer
 * open, @message is the late epilog's.
 */
bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message);

/*
 * Takes @job to the phase that follows when @event comes (collector/job/job_phase.h). If its phase does not expect the
 * event, it stays there: that is a mistake in stintd, which is logged and counted.
 *
 * Returns whether it was expected.
 */
bool job_enter(struct job *job, enum job_event event);

/* How many events came that no phase expects. status.json has it. */
uint64_t job_unexpected(void);

/* Removes a job and frees it. */
void jobs__remove(struct jobs *jobs, struct job *job);

/* Adds what @message knows and the job did not: an extern step knows neither array nor option. */
void job__learn(struct job *job, const struct control_message *message);

/* Raises @peaks to the values read from a cgroup's memory. */
void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory);

/* Whether the step's memory can be read: the step has not ended, and its memory cgroup is known. */
bool job_step__is_open(const struct job_step *step);

/* Finds or adds a step; NULL if there are too many. */
struct job_step *job__step(struct job *job, uint32_t id);

/*
 * Adds one task to a step of @job. Returns whether it was added: not if it is already known, its number is no process
 * id, or there is no room for it. A task without room is only counted.
 */
bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task);

/* Writes the name of a step to @text: "batch", "extern", "interactive", "0"... Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

/* How much to report about @job: its own option, or else stint.conf's. */
enum control_mode job_mode(const struct job *job, enum conf_mode by_default);

#endif
