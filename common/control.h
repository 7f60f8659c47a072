/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control message. It is the only thing that the plugin and the collector share.
 *
 * The plugin connects to RUN_DIR/stintd.sock (SOCK_SEQPACKET) and sends one message on each connection. The collector
 * accepts messages only from root (SO_PEERCRED), and answers each message with one struct control_reply. It answers an
 * OPEN when every process of the step is being counted. It answers a JOB_CLOSE when the close is saved on disk. But if
 * the job may be requeued, it answers when the report has been written, or cannot be written. Senders need not wait for
 * any other answer.
 *
 * The extern step's OPEN is answered too, but its plugin does not wait: Slurm starts the job's next step only after
 * that plugin's hook has returned, and two waits would add up. So the answer may find the connection closed.
 *
 * If a message gets no answer in time, or there is no collector, the plugin leaves the message as a note. A note is a
 * file in RUN_DIR/notes/, if that directory exists. It is written under a temporary name and then renamed. The
 * collector reads the notes when it starts and while it runs. A note has the bytes of the message up to the last byte
 * that is not zero, followed by their control_note_checksum(). If that would be as long as the whole message, or
 * longer, the note is the whole message without a checksum.
 *
 * A message that got no answer in time exists twice, in the socket and as a note. Processing it twice changes nothing.
 * If the plugin does not wait for an answer, it leaves the note before it sends the message. The collector removes the
 * note when it has processed the message. So nothing is lost if the collector is killed in between, and no process
 * waits.
 *
 * Both sides run on one machine and are installed together. They can have different versions only if they are upgraded
 * between two steps of a job.
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

/* the longest that the plugin delays the start of a step: 250 ms without the calls around it */
#define CONTROL_OPEN_WAIT_MS 230
#define CONTROL_CLOSE_WAIT_MS 1800 /* the longest that the plugin delays a job's epilog */

/* The numbers of the steps that Slurm itself makes. srun's steps have numbers below STEPS_OF_SRUN. */
#define STEPS_OF_SRUN 0xfffffff0u
#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu /* the step of adopted processes */

#define CONTROL_NONE 0xfffffffeu /* Slurm's NO_VAL: not a task of an array, not a component of a het job, or not known */

enum control_kind {
	CONTROL_OPEN = 1,   /* a step is about to run its first task; sent from inside the step's cgroup */
	CONTROL_TASK = 2,   /* another task of the step, with its pid and rank */
	CONTROL_STEP_CLOSE = 3, /* the step's tasks have ended */
	CONTROL_JOB_CLOSE = 4,  /* the job has left the node; its cgroups are gone */
	CONTROL_HELLO = 5,      /* from stint doctor; it has no content, and is answered at once */
};

enum control_mode {
	CONTROL_MODE_DEFAULT = 0, /* the job did not choose, so stint.conf decides */
	CONTROL_MODE_OFF = 1,
	CONTROL_MODE_SUMMARY = 2,
	CONTROL_MODE_TIMELINE = 3,
};

/* The message that says that a job has left the node. */
enum control_ends {
	CONTROL_ENDS_WITH_EPILOG = 0, /* the job's JOB_CLOSE */
	/* no JOB_CLOSE will come; it is the STEP_CLOSE of the job's extern step, which also has an OPEN */
	CONTROL_ENDS_WITH_EXTERN = 1,
	CONTROL_ENDS_UNANNOUNCED = 2, /* like CONTROL_ENDS_WITH_EXTERN, but the extern step has no OPEN */
};

/* How a job was closed. */
enum control_closed {
	CONTROL_BY_EPILOG = 0,
	CONTROL_NO_EPILOG = 1,    /* by stintd, because no epilog came */
	CONTROL_EXTERN_ENDED = 2, /* by stintd, because no epilog would come, and the extern step was over */
};

struct control_task {
	int32_t stepd_pid; /* pid of the slurmstepd */
	int32_t pid;       /* pid of the task; in the extern step, of the step's only process */
	uint32_t rank;     /* global rank of the task; NONE in the extern step */
};

struct control_open {
	struct control_task task; /* the first task of the step */
	/* NONE or 0: the job is no task of an array, or this is not known. slurmctld gives the number only to the batch step. */
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t step_nodes;
	uint32_t step_tasks;    /* tasks on all nodes */
	/* Slurm's count of restarts; 0 for the first attempt. But Slurm (22.05 to 26.05) always gives 0 here */
	uint32_t restart_count;
	uint32_t ends;          /* enum control_ends */
	int32_t umask;          /* umask with which slurmstepd creates the step's output; -1: not known */
	uint64_t job_memory_mb; /* memory that is allocated on this node (S_JOB_ALLOC_MEM), in MiB; 0: not known */
	char cluster[256];      /* only set in the batch step, where Slurm sets it; in other steps the user could set it */
	char node_list[2048];   /* in Slurm's form, "n[1-2]"; only set if no JOB_CLOSE will come */
	char work_dir[4096];
	char output[4096];      /* pattern of the report's path, from --stint=output=; or empty */
};

struct control_step_close {
	int32_t exit_status; /* wait status of the first task that failed, otherwise 0 */
};

struct control_job_close {
	uint32_t closed_by; /* enum control_closed */
	/* Number of restarts. In the close of a requeued job, it is already that of the next attempt. */
	uint32_t restart_count;
	/*
	 * Wait status of the job (SLURM_JOB_EXIT_CODE); -1: not known. It is also 0 for a job that Slurm ended
	 * (scancel, time limit, requeue): slurmctld did not yet know the status when it started the epilog.
	 */
	int32_t exit_status;
	int32_t derived_status; /* the highest status of the steps (SLURM_JOB_DERIVED_EC); -1: not known */
	char cluster[256];
	char user[256];
	char partition[256];
	char node_list[2048];
	char work_dir[4096];
	char output[4096];
};

/*
 * Every text ends in a NUL, and is empty if it is not known. Unknown numbers are CONTROL_NONE, unless their field says
 * otherwise. Each kind of message has a structure for its own fields, at the end.
 */
struct control_message {
	uint32_t magic;
	uint16_t version;
	uint16_t kind; /* enum control_kind */
	uint32_t size; /* size of the whole structure, in bytes */
	/*
	 * enum control_mode. A step may have its own mode (srun --stint), and JOB_CLOSE has the job's mode. The mode is
	 * OFF in the STEP_CLOSE of an extern step that ends its job, if stint was turned off meanwhile.
	 */
	uint32_t mode;
	uint64_t sent_ns; /* CLOCK_BOOTTIME when the message was first sent */
	uint64_t sent_unix_ns; /* CLOCK_REALTIME at the same moment */
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

/* Returns the task of an OPEN or a TASK; NULL if the message is of another kind. */
static inline const struct control_task *control_task(const struct control_message *message)
{
	if (message->kind == CONTROL_OPEN)
		return &message->open.task;
	return message->kind == CONTROL_TASK ? &message->task : NULL;
}

#define CONTROL_NOTE_NAME_MAX 80

/* Writes the name of @message's note to @name: JOB.STEP.KIND.TIME, where TIME is sent_ns. */
static inline void control_note_name(const struct control_message *message, char name[CONTROL_NOTE_NAME_MAX])
{
	static const char *const kinds[] = { "?", "open", "task", "step-close", "job-close" };

	snprintf(name, CONTROL_NOTE_NAME_MAX, "%u.%u.%s.%" PRIu64, message->job_id, message->step_id,
		 kinds[message->kind <= CONTROL_JOB_CLOSE ? message->kind : 0], message->sent_ns);
}

/* Returns the FNV-1a hash of @length bytes of @note. */
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
	uint16_t kind;   /* kind of the message that this answers */
	int32_t status;  /* 0, or -1 with the reason in text */
	char text[252];
};

/*
 * Returns whether @message, of @size bytes, is valid: it is whole and of this version, it names a job and a user, and
 * all its texts end in a NUL. A HELLO need not name a job and a user.
 */
bool control_message_valid(const struct control_message *message, size_t size);

#endif
