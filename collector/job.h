/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of this host that are open: what the plugin told of them, and what was seen since. */
#ifndef STINT_JOB_H
#define STINT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/cgroup.h"
#include "collector/oom.h"
#include "collector/progress.h"
#include "collector/series.h"
#include "collector/timeline.h"
#include "spank/control.h"

#define JOB_STEP_EXTERN 0xfffffffcu /* Slurm's number: the step of adopted processes */
#define JOB_STEPS_MAX 4096
#define JOB_TASKS_MAX 4096 /* of a step, on this node */

struct job_task {
	uint32_t rank;
	int32_t pid;
};

struct job_step {
	uint32_t id;      /* Slurm's */
	uint64_t cgroup;  /* 0: it has none */
	uint64_t start_ns;    /* CLOCK_BOOTTIME */
	uint64_t end_ns;      /* CLOCK_BOOTTIME; 0: not ended */
	int32_t exit_status;  /* valid with end_ns */
	uint32_t nodes;
	uint32_t task_count;
	struct job_task *tasks;
	uint32_t tasks_here;
	uint32_t tasks_room;
};

/* What messages told of the job: their fields of the same names, the texts no longer than they are. */
struct job_about {
	uint32_t job_id;
	uint32_t uid;
	uint32_t gid;
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t restart_count;
	uint64_t job_memory_mb;
	int32_t exit_status;
	int32_t derived_status;
	enum control_mode mode;
	char *node;
	char *cluster;
	char *user;
	char *partition;
	char *node_list;
	char *work_dir;
	char *output;
};

struct job {
	struct job *next;
	uint64_t key;     /* by which the kernel programs know it: the id of its first cgroup; 0: it has none */
	struct job_about about;
	struct cgroup_job cgroup; /* the latest: without an extern step it is made anew for each */
	struct error no_cgroup;   /* why */
	uint64_t first_unix_ns; /* when the first message of it was sent: tells it from another of the same number */
	uint64_t opened_ns;      /* when its first step was, CLOCK_BOOTTIME; 0: none was seen */
	uint64_t opened_unix_ns; /* what CLOCK_REALTIME said then */
	uint64_t registered_ns; /* CLOCK_BOOTTIME since when this cgroup is counted */
	uint64_t before_cpu_ns; /* used in its cgroup before it was counted */
	bool option_told; /* the mode and output above are the job's, as far as can be told */
	bool off;         /* a step said that it is not to be counted */
	bool late;        /* counting began after the job did */
	char late_why[256];
	bool anew;        /* this stintd found none of its counts, and began anew */
	bool unseen;      /* an earlier stintd, which was killed, saw the job's begin and could not hand that over */
	struct job_step *steps;
	uint32_t step_count;
	uint32_t step_room;
	uint64_t steps_lost;
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	__u64 counted[RECORD_USES_TOLD]; /* what the totals had at the last sample */
	unsigned int slot; /* then; 0: none */
	__u64 so_far[RECORD_USES_TOLD]; /* what was used at the last sample_now(), live threads included */
	bool so_far_known;
	bool shown; /* the record is of a job that runs on: in a child alone */
	int64_t sampled_peak_bytes; /* -1: no sample */
	int64_t swap_peak_bytes;    /* -1: no sample */
	int64_t charged_peak_bytes; /* -1: not read */
	int64_t limit_bytes;
	char cpus[1024];  /* of its cpuset; empty: not known */
	/* closing */
	bool closing;
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog told */
	int reply_fd;     /* the epilog that waits; -1 */
	int writer_pid;   /* 0: not started yet */
	uint64_t next_try_ns; /* CLOCK_BOOTTIME; before, there is no use in writing its report. 0: none has failed */
};

#define JOBS_CLOSED_MAX 256 /* the last ones; a note of theirs comes within some seconds */

struct closed_job {
	uint32_t job_id;
	char node[256];
	uint64_t close_ns; /* CLOCK_BOOTTIME when the epilog told; 0: no entry */
};

struct jobs {
	struct job *first;
	int count;
	struct closed_job closed[JOBS_CLOSED_MAX]; /* a ring */
	unsigned int closed_next;
};

/* Finds the open job that @message tells of, by node and id; NULL. One that is being closed is not found. */
struct job *jobs__find(struct jobs *jobs, const struct control_message *message);

/* Finds a job by its key; NULL. */
struct job *jobs__find_key(struct jobs *jobs, uint64_t key);

/* Finds the job whose report process @pid writes; NULL. */
struct job *jobs__find_writer(struct jobs *jobs, int pid);

/* Adds a job that @message tells of; NULL when memory ran out. */
struct job *jobs__add(struct jobs *jobs, const struct control_message *message);

/*
 * Notes that @message, a JOB_CLOSE, was taken in: what was sent up to then about
 * this attempt of the job has been told.
 */
void jobs__note_closed(struct jobs *jobs, const struct control_message *message);

/*
 * Whether @message comes from a job that was closed since. A plugin that had no
 * answer in time leaves a note, and stintd, which was only slow, has both.
 */
bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message);

/* Takes a job out and frees it. */
void jobs__remove(struct jobs *jobs, struct job *job);

/* Takes over what @message knows and the job did not: an extern step knows neither array nor option. */
void job__learn(struct job *job, const struct control_message *message);

/* Finds or adds a step; NULL when there are too many. */
struct job_step *job__step(struct job *job, uint32_t id);

/* Notes one task of a step; beyond JOB_TASKS_MAX they go unnamed. */
void job_step__add_task(struct job_step *step, uint32_t rank, int32_t pid);

/* The name of a step: "batch", "extern", "interactive", "0"... in @text. Returns @text. */
const char *job_step_name(uint32_t id, char text[16]);

#endif
