/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control message: everything that the plugin and the collector share.
 *
 * The plugin connects to RUN_DIR/stintd.sock (SOCK_SEQPACKET) and sends one message on each connection. The collector believes
 * only root (SO_PEERCRED), and answers each message with one struct control_reply. It answers an open when every process of the
 * step is being counted. It answers a job's close when the close is saved on disk; if the job may be requeued, when the report
 * has been written (or cannot be). Senders need not wait for the other answers. The extern step's open is answered too, but its
 * plugin does not wait: Slurm starts the next step only after it, and two waits would add up. So the answer may find the
 * connection closed.
 *
 * If a message gets no answer in time, or there is no collector, the plugin leaves it as a note: a file in RUN_DIR/notes/, if
 * that directory exists, written under a temporary name and renamed. The collector reads the notes when it starts and while it
 * runs. A note has the bytes of the message up to the last that is not zero, and their control_note_checksum(). A message that
 * got no answer in time exists twice, in the socket and as a note. Processing it twice changes nothing. If the plugin does not
 * wait for an answer, it leaves the note before it sends the message, and the collector removes the note when it has processed
 * the message. So a collector that is killed in between loses nothing, and no process waits.
 *
 * Both sides run on one machine and are installed together; the version shows an upgrade between two steps of a job.
 */
#ifndef STINT_CONTROL_H
#define STINT_CONTROL_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CONTROL_MAGIC 0x544e5453u /* "STNT" */
#define CONTROL_VERSION 2
#define CONTROL_SOCKET "stintd.sock" /* below the run directory */
#define CONTROL_NOTES "notes"        /* below the run directory */

#define CONTROL_OPEN_WAIT_MS 230  /* the longest that the plugin delays a step's start: 250 ms less the calls around
	 * it */
#define CONTROL_CLOSE_WAIT_MS 1800 /* the longest that it delays a job's epilog */

/* Slurm's numbers of its own steps. srun's steps have numbers below STEPS_OF_SRUN. */
#define STEPS_OF_SRUN 0xfffffff0u
#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu /* the step of adopted processes */

#define CONTROL_NONE 0xfffffffeu /* Slurm's NO_VAL: not a task of an array, not a het component, or not known */

enum control_kind {
	CONTROL_OPEN = 1,   /* a step is about to run its first task; sent from inside the step's cgroup */
	CONTROL_TASK = 2,   /* another task of the step: pid and rank */
	CONTROL_STEP_CLOSE = 3, /* the step's tasks have ended */
	CONTROL_JOB_CLOSE = 4,  /* the job has left the node; its cgroups are gone */
	CONTROL_HELLO = 5,      /* from stint doctor: it says nothing, and is answered at once */
};

enum control_mode {
	CONTROL_MODE_DEFAULT = 0, /* the job did not say: stint.conf decides */
	CONTROL_MODE_OFF = 1,
	CONTROL_MODE_SUMMARY = 2,
	CONTROL_MODE_TIMELINE = 3,
};

/* Which message says that a job has left the node. */
enum control_ends {
	CONTROL_ENDS_WITH_EPILOG = 0, /* its JOB_CLOSE */
	CONTROL_ENDS_WITH_EXTERN = 1, /* no JOB_CLOSE will come: the STEP_CLOSE of its extern step, which also has an
		 * OPEN */
	CONTROL_ENDS_UNANNOUNCED = 2, /* the same, if the extern step has no OPEN */
};

/* Who closed a job. */
enum control_closed {
	CONTROL_BY_EPILOG = 0,
	CONTROL_NO_EPILOG = 1,    /* stintd: no epilog came */
	CONTROL_EXTERN_ENDED = 2, /* stintd: none would come, and the extern step was over */
};

struct control_task {
	int32_t stepd_pid; /* of the slurmstepd */
	int32_t pid;       /* of the task; in the extern step, of its one process */
	uint32_t rank;     /* global; NONE in the extern step */
};

struct control_open {
	struct control_task task; /* the step's first */
	/* NONE or 0: not a task of an array, or not known: slurmctld gives it only to the batch step */
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t step_nodes;
	uint32_t step_tasks;    /* over all nodes */
	uint32_t restart_count; /* Slurm's count, 0 for the first attempt. Slurm (22.05 to 26.05) always gives 0 here */
	uint32_t ends;          /* enum control_ends */
	int32_t umask;          /* with which slurmstepd creates the step's output; -1 not known */
	uint64_t job_memory_mb; /* allocated on this node (S_JOB_ALLOC_MEM), in MiB; 0 not known */
	char cluster[256];      /* in the batch step, where Slurm sets it; in other steps the user could */
	char node_list[2048];   /* in Slurm's form, "n[1-2]"; only if no JOB_CLOSE will come */
	char work_dir[4096];
	char output[4096];      /* pattern from --stint=output=, or empty */
};

struct control_step_close {
	int32_t exit_status; /* wait status of the first task that failed, otherwise 0 */
};

struct control_job_close {
	uint32_t closed_by; /* enum control_closed */
	/* The close of a requeued job already has that of the next attempt. */
	uint32_t restart_count;
	/*
	 * Wait status of the job (SLURM_JOB_EXIT_CODE); -1 not known. It is also 0 for a job that Slurm ended (scancel, time
	 * limit, requeue): slurmctld did not know it when it started the epilog, and knows it later.
	 */
	int32_t exit_status;
	int32_t derived_status; /* the highest of the steps (SLURM_JOB_DERIVED_EC); -1 not known */
	char cluster[256];
	char user[256];
	char partition[256];
	char node_list[2048];
	char work_dir[4096];
	char output[4096];
};

/*
 * Every text ends in a NUL, and is empty if not known. Unknown numbers are CONTROL_NONE, unless their field says
 * otherwise. Each kind has its own structure for its own fields, at the end.
 */
struct control_message {
	uint32_t magic;
	uint16_t version;
	uint16_t kind; /* enum control_kind */
	uint32_t size; /* of the whole structure, in bytes */
	/* enum control_mode; a step may have its own (srun --stint), JOB_CLOSE has the job's. OFF in the STEP_CLOSE of an
	 * extern step that ends its job: stint was turned off meanwhile */
	uint32_t mode;
	uint64_t sent_ns; /* CLOCK_BOOTTIME when it was first sent */
	uint64_t sent_unix_ns; /* CLOCK_REALTIME then */
	uint32_t job_id;
	uint32_t step_id; /* NONE in JOB_CLOSE */
	uint32_t uid;
	uint32_t gid;
	char node[256]; /* Slurm's name of this node (several nodes may be on one host) */
	union {
		struct control_open open;
		struct control_task task;
		struct control_step_close step_close;
		struct control_job_close job_close;
	};
};

/* The task of an OPEN or a TASK; NULL: the message is of another kind. */
static inline const struct control_task *control_task(const struct control_message *message)
{
	if (message->kind == CONTROL_OPEN)
		return &message->open.task;
	return message->kind == CONTROL_TASK ? &message->task : NULL;
}

#define CONTROL_NOTE_NAME_MAX 80

/* Writes the name of @message's note: JOB.STEP.KIND.TIME, where TIME is sent_ns. */
static inline void control_note_name(const struct control_message *message, char name[CONTROL_NOTE_NAME_MAX])
{
	static const char *const kinds[] = { "?", "open", "task", "step-close", "job-close" };

	snprintf(name, CONTROL_NOTE_NAME_MAX, "%u.%u.%s.%" PRIu64, message->job_id, message->step_id,
		 kinds[message->kind <= CONTROL_JOB_CLOSE ? message->kind : 0], message->sent_ns);
}

/* FNV-1a. */
static inline uint32_t control_note_checksum(const void *note, size_t length)
{
	const unsigned char *at = note;
	uint32_t sum = 2166136261u;

	while (length--)
		sum = (sum ^ *at++) * 16777619u;
	return sum;
}

struct control_reply {
	uint32_t magic;
	uint16_t version;
	uint16_t kind;   /* of the message that this answers */
	int32_t status;  /* 0, or -1 with the reason in text */
	char text[252];
};

/* Whether @message, of @size bytes, is whole and of this version, names a job and a user, and all its texts end. */
bool control_message_valid(const struct control_message *message, size_t size);

#endif
