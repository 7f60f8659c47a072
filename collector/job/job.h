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
#define JOBS_TASKS_MAX 131072 /* of all jobs; at half as many, a job that has JOB_TASKS_FEW gets no more */
#define JOB_TASKS_FEW 256

/* The memory peaks of a cgroup, as far as it was read; -1: it was not, or had no such value. */
struct memory_peaks {
	int64_t used_bytes;
	int64_t swap_bytes;
	int64_t charged_bytes; /* the kernel's own peak, as last read */
	int64_t limit_bytes;   /* as last read */
	int64_t huge_bytes;    /* huge pages (hugetlbfs) of its processes at once; of the job alone */
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
 * What messages say about the job: the fields of struct control_message with the same names, texts allocated as long
 * as they are.
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
	int32_t umask; /* of the batch step, or of the first step where there is no batch step; -1: not known */
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

/* One who has jobs here. */
struct job_user {
	struct job_user *next;
	uint32_t uid;
	unsigned int jobs;
	unsigned int counted; /* of these, jobs that have entries in the kernel programs' tables (collector/share_tables.h) */
};

/* How its present cgroup is counted. */
struct job_counting {
	uint64_t registered_ns; /* CLOCK_BOOTTIME since when */
	uint64_t before_cpu_ns; /* used in its cgroups before they were counted, as far as is known */
	uint64_t before_base_ns; /* counted CPU time plus before_cpu_ns, from before its present cgroup was counted */
	enum before_known before;
	bool late;        /* it began after the job did */
	char late_why[256];
	bool anew;        /* this stintd found none of the job's counts, and began anew */
	bool cpu_unknown; /* live threads could not be read: nobody knows how much CPU time was not counted */
	bool unseen;      /* an earlier stintd saw the job begin, and was killed or failed before it handed that over */
};

/* Its extern step. */
struct job_extern {
	bool ends_job;  /* no epilog is to come: the job has left the node when this step is over */
	bool announced; /* it has said that it began, or did so before this was known to be a job */
	bool ended;     /* it has said so */
	int signal;     /* what ended the process that it consists of; 0: not known */
};

/* Its end: valid in all phases but JOB_OPEN. */
struct job_closing {
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog's message was sent */
	bool no_epilog;    /* stintd closed it itself, for no epilog came */
	int reply_fd;      /* the connection of the epilog that waits; -1: none */
	bool reply_kept;   /* the epilog waits until the record is on the disk, and not until the report is written */
	bool apart;        /* only a child of its own builds its record */
	int builder_pid;   /* in JOB_BUILDING: of that child, or of the keeper (collector/record/keeper.h) */
	uint64_t keeper_turn; /* of its record, where that is the keeper */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME before which its report is not tried again. 0: no try has failed */
};

struct job {
	struct job *next;
	struct job_user *user;
	uint64_t key;     /* by which the kernel programs know it: the id of its first cgroup; 0: it has none */
	struct job_about about;
	struct cgroup_job cgroup; /* the latest: without an extern step Slurm makes a new one for each step */
	struct error no_cgroup;   /* why it has none */
	/* when its first message was sent: distinguishes it from another job of the same number */
	uint64_t first_unix_ns;
	uint64_t opened_ns;      /* when its first step was opened, CLOCK_BOOTTIME; 0: no step was seen */
	uint64_t opened_unix_ns; /* the same moment by CLOCK_REALTIME */
	enum job_phase phase;
	struct job_counting counting;
	struct job_extern extern_step;
	struct job_closing closing;
	bool option_known; /* the mode and output above are the job's own, as far as is known */
	bool off;         /* a step said that it is not to be counted */
	uint32_t epilogs_restarts; /* the number that the epilog had, where it is later than that of the steps; else 0 */
	uint64_t left_ns; /* CLOCK_BOOTTIME when the job was found to have left the node; 0: it has not */
	struct job_step *steps;
	uint32_t step_count;
	uint64_t steps_lost;
	uint32_t tasks; /* of all steps */
	uint64_t tasks_lost; /* not named: there was no room */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	__u64 counted[ABI_USES_SENT]; /* the totals at the last sample */
	unsigned int slot; /* at the last sample; 0: none */
	struct wait_rate wait_rate;
	struct cgroup_memory highest; /* the levels that were read of its memory since the last sample */
	bool was_read;                /* there are such */
	__u64 so_far[ABI_USES_SENT]; /* what was used at the last walk over all threads, live ones included */
	uint64_t so_far_ns;          /* CLOCK_BOOTTIME of that walk */
	bool so_far_known;
	bool so_far_old; /* a query came too soon after that walk for another one */
	bool queried; /* the record answers a query while the job runs on: set only in the child that builds it */
	struct memory_peaks memory;
	bool steps_left_out; /* the memory of some steps was not read, as there were too many */
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

/* Adds the job of @message; NULL when memory ran out. */
struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Notes that @message, a CONTROL_JOB_CLOSE, was processed: no message about this
 * attempt of the job that was sent up to then is of use any more.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Whether @message comes from a job that was closed since. A plugin that had no
 * answer in time leaves a note; where stintd was only slow, it gets both.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

/* Whether @message is of an extern step. */
bool job_is_extern(const struct control_message *message);

/* Whether @job has run a step here: one that can have an option of the job's, as the extern step cannot. */
bool job_has_step(const struct job *job);

/* Finds the step of this @id: a number, or STEP_EXTERN, ...; NULL: none of them ran here. */
const struct job_step *job_find_step(const struct job *job, uint32_t id);

/*
 * Whether it goes on where the job was closed already. A user can end its extern step alone, by its number, or a signal to
 * all steps does; on a node without the batch step that closes it (end_outlives_extern()). Steps that begin later are
 * such a job, and nobody says when they are over.
 */
bool job_continues(const struct job *job);

/*
 * When the job was over here, CLOCK_BOOTTIME: when its epilog came, or, where none did, when its last step or process
 * ended. stintd may have waited for minutes then before it closed the job.
 *
 * @process_ns: the end of its last process; 0: not known
 */
uint64_t job_end_ns(const struct job *job, uint64_t process_ns);

/*
 * Whether the job of @message was closed without its epilog, so that its report has been made: @message is that of the
 * late epilog where the job is not open any more.
 */
bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message);

/*
 * Takes @job to the phase that follows when @event comes (collector/job/job_phase.h). Where it is in a phase that does not
 * expect that, it stays there: that is a mistake of stintd's, which is logged and counted.
 *
 * Returns whether it was expected.
 */
bool job_enter(struct job *job, enum job_event event);

/* How often something came that no phase expects. It is in status.json. */
uint64_t job_unexpected(void);

/* Removes a job and frees it. */
void jobs__remove(struct jobs *jobs, struct job *job);

/* Adds what @message knows and the job did not: an extern step knows neither array nor option. */
void job__learn(struct job *job, const struct control_message *message);

/* Raises @peaks to what was read of a cgroup's memory. */
void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory);

/* Whether the step's memory can be read: the step has not ended, and its memory cgroup is known. */
bool job_step__is_open(const struct job_step *step);

/* Finds or adds a step; NULL when there are too many. */
struct job_step *job__step(struct job *job, uint32_t id);

/*
 * Adds one task to a step of @job. Returns whether it is new. It is not when it is known already, when its number is no
 * process id, and when there is no room for it: such a task is only counted.
 */
bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task);

/* Writes the name of a step to @text: "batch", "extern", "interactive", "0"... Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

/* How much is to be reported of @job: by its own option, or else as stint.conf says. */
enum control_mode job_mode(const struct job *job, enum conf_mode by_default);

#endif
