/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the control message from the plugin to the collector (stintd). These two programs share nothing else.
 *
 * The plugin sends one message on each connection to RUN_DIR/stintd.sock (SOCK_SEQPACKET).
 * The collector accepts only root (SO_PEERCRED). It answers with one struct control_reply:
 * - OPEN: when every process of the step is counted
 * - JOB_CLOSE: when the close is saved on disk
 * - JOB_CLOSE of a job that may be requeued: when the report is written, or cannot be written
 *
 * In the extern step, the plugin does not wait for the answer. Slurm starts the next step only after the hook in the
 * extern step, so a job's start would be delayed twice.
 *
 * Without an answer in time, the plugin leaves a note: a file in RUN_DIR/notes/.
 * A note has the message without the zeros at its end, and then control_note_checksum() of these bytes.
 * If such a note would not be shorter than the message, the note is the whole message without a checksum.
 *
 * The collector may get a message twice, from the socket and as a note. The second time changes nothing.
 * If the plugin does not wait for an answer, it leaves the note before it sends the message.
 * The collector removes the note of a processed message. So nothing is lost if the collector is killed.
 *
 * Versions can differ only if stint is upgraded between two steps of a job.
 */
#ifndef STINT_CONTROL_H
#define STINT_CONTROL_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CONTROL_MAGIC 0x544e5453u /* "STNT" */
#define CONTROL_VERSION 3
#define CONTROL_SOCKET "stintd.sock"
#define CONTROL_NOTES "notes"

/* The plugin may delay a step's start by at most 250 ms. 20 ms of these are for its other system calls. */
#define CONTROL_OPEN_WAIT_MS 230
#define CONTROL_CLOSE_WAIT_MS 1800 /* longest delay of a job's epilog */

/* Steps of Slurm itself. srun's steps have numbers below STEPS_OF_SRUN. */
#define STEPS_OF_SRUN 0xfffffff0u
#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu /* for adopted processes, such as ssh logins */

#define CONTROL_NONE 0xfffffffeu /* Slurm's NO_VAL: not known, or none */

enum control_kind {
	CONTROL_OPEN = 1,   /* sent from the step's cgroup, before the first task */
	CONTROL_TASK = 2,
	CONTROL_STEP_CLOSE = 3,
	CONTROL_JOB_CLOSE = 4,  /* the job's cgroups are gone */
	CONTROL_HELLO = 5,      /* from stint doctor; empty */
};

enum control_mode {
	CONTROL_MODE_DEFAULT = 0, /* stint.conf decides */
	CONTROL_MODE_OFF = 1,
	CONTROL_MODE_SUMMARY = 2,
	CONTROL_MODE_TIMELINE = 3,
};

enum control_ends {
	CONTROL_ENDS_WITH_EPILOG = 0, /* the job's JOB_CLOSE */
	/* The extern step's STEP_CLOSE. The extern step also sends an OPEN. */
	CONTROL_ENDS_WITH_EXTERN = 1,
	CONTROL_ENDS_UNANNOUNCED = 2, /* the extern step's STEP_CLOSE, without an OPEN */
};

enum control_closed {
	CONTROL_BY_EPILOG = 0,
	CONTROL_NO_EPILOG = 1,    /* by stintd: no epilog came */
	CONTROL_EXTERN_ENDED = 2, /* by stintd: the extern step has ended */
};

struct control_task {
	int32_t stepd_pid;
	int32_t pid;       /* of the task; in the extern step, of the only process */
	uint32_t rank;     /* global rank; CONTROL_NONE in the extern step */
};

struct control_open {
	struct control_task task;
	/* CONTROL_NONE or 0: no task of an array, or not known. slurmctld tells only the batch step. */
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t step_nodes;
	uint32_t step_tasks;    /* on all nodes */
	/* How often Slurm has restarted the job. Slurm (22.05 to 26.05) always gives 0 here. */
	uint32_t restart_count;
	uint32_t ends;          /* enum control_ends */
	int32_t umask;          /* with which slurmstepd makes the output file; -1: not known */
	uint64_t job_memory_mb; /* on this node, in MiB; 0: not known */
	char cluster[256];      /* set only in the batch step: in other steps, the user could change the name */
	char node_list[2048];   /* "n[1-2]"; set only if no JOB_CLOSE comes */
	char work_dir[4096];
	char output[4096];      /* pattern from --stint=output=; empty: none */
};

struct control_step_close {
	int32_t exit_status; /* wait status of the first task that failed; 0: none failed */
};

struct control_job_close {
	uint32_t closed_by; /* enum control_closed */
	/* How often Slurm has restarted the job. For a requeued job, the coming restart is already counted. */
	uint32_t restart_count;
	/*
	 * Wait status of the job (SLURM_JOB_EXIT_CODE); -1: not known. 0 if Slurm ended the job (scancel, time limit,
	 * requeue): slurmctld starts the epilog before it knows the status.
	 */
	int32_t exit_status;
	int32_t derived_status; /* the highest status of a step (SLURM_JOB_DERIVED_EC); -1: not known */
	char cluster[256];
	char user[256];
	char partition[256];
	char node_list[2048];
	char work_dir[4096];
	char output[4096];
	char gpus[1024]; /* indexes of the node's GPUs that the job had (SLURM_JOB_GPUS): "0,2"; empty: none, or not known */
};

/*
 * A control message. Texts end in a NUL, and are empty if unknown.
 * Unknown numbers are CONTROL_NONE, except where the comment of a member says otherwise.
 */
struct control_message {
	uint32_t magic;
	uint16_t version;
	uint16_t kind; /* enum control_kind */
	uint32_t size; /* of the whole structure, in bytes */
	/* enum control_mode. A STEP_CLOSE that ends a job has OFF if the site has turned stint off meanwhile. */
	uint32_t mode;
	uint64_t sent_ns; /* CLOCK_BOOTTIME when first sent */
	uint64_t sent_unix_ns; /* CLOCK_REALTIME at sent_ns */
	uint32_t job_id;
	uint32_t step_id; /* NONE in JOB_CLOSE */
	uint32_t uid;
	uint32_t gid;
	char node[256]; /* the node's name in Slurm; several nodes may be on one host */
	union {
		struct control_open open;
		struct control_task task;
		struct control_step_close step_close;
		struct control_job_close job_close;
	};
};

/* Returns NULL if @message is no OPEN and no TASK. */
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
	uint16_t kind;
	int32_t status;  /* 0: accepted; -1: refused, see text */
	char text[252];
};

/*
 * Returns whether @message is valid. It must have:
 * - the size and version of this header
 * - a job and a user
 * - a NUL at the end of each text
 *
 * A HELLO needs only size and version.
 *
 * @size: received bytes
 */
bool control_message_valid(const struct control_message *message, size_t size);

#endif
