/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the control message, which the plugin sends to the collector (stintd). The plugin and the collector share
 * nothing else.
 *
 * The plugin connects to RUN_DIR/stintd.sock (SOCK_SEQPACKET), and sends one message on each connection. The
 * collector accepts messages only from root (SO_PEERCRED), and answers each message with one struct control_reply. It
 * answers an OPEN when every process of the step is being counted. It answers a JOB_CLOSE when the close is saved on
 * disk. But if the job may be requeued, it answers the JOB_CLOSE when the report has been written, or when it knows
 * that the report cannot be written. Senders need not wait for the answer to any other message.
 *
 * The collector also answers the OPEN of the extern step, but the plugin does not wait for that answer. Slurm starts
 * the job's next step only after the plugin's hook in the extern step has returned, so the waits of both steps would
 * add up. The collector may therefore find the connection closed when it answers.
 *
 * If a message gets no answer in time, or no collector runs, the plugin leaves the message as a note. A note is a
 * file in RUN_DIR/notes/, if that directory exists. The plugin writes the note under a temporary name, and then
 * renames it. The collector reads the notes when it starts and while it runs. A note has the bytes of the message up
 * to the last byte that is not zero, followed by their control_note_checksum(). If these would be as long as the
 * whole message, or longer, the note is the whole message without a checksum.
 *
 * A message that got no answer in time exists twice, in the socket and as a note. The collector can process it twice,
 * because the second time changes nothing. If the plugin does not wait for an answer, it leaves the note before it
 * sends the message. The collector removes the note when it has processed the message. So nothing is lost if the
 * collector is killed in between, and no process of the job has to wait.
 *
 * Both sides run on one machine and are installed together. Their versions can differ only if stint is upgraded
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

/* The longest that the plugin delays the start of a step. The calls before and after the wait take the rest of 250 ms. */
#define CONTROL_OPEN_WAIT_MS 230
#define CONTROL_CLOSE_WAIT_MS 1800 /* the longest that the plugin delays a job's epilog */

/* Numbers of the steps that Slurm itself makes. The steps that srun starts have numbers below STEPS_OF_SRUN. */
#define STEPS_OF_SRUN 0xfffffff0u
#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu /* step that holds processes which Slurm adopts, such as ssh logins */

#define CONTROL_NONE 0xfffffffeu /* Slurm's NO_VAL. It means: not a task of an array, not a component of a het job, or not known */

enum control_kind {
	CONTROL_OPEN = 1,   /* a step is about to run its first task; sent from inside the step's cgroup */
	CONTROL_TASK = 2,   /* another task of the step, with its pid and rank */
	CONTROL_STEP_CLOSE = 3, /* the step's tasks have ended */
	CONTROL_JOB_CLOSE = 4,  /* the job has left the node, and its cgroups are gone */
	CONTROL_HELLO = 5,      /* from stint doctor; it has no content, and is answered at once */
};

enum control_mode {
	CONTROL_MODE_DEFAULT = 0, /* the job did not choose, so stint.conf decides */
	CONTROL_MODE_OFF = 1,
	CONTROL_MODE_SUMMARY = 2,
	CONTROL_MODE_TIMELINE = 3,
};

/* Which message says that a job has left the node. */
enum control_ends {
	CONTROL_ENDS_WITH_EPILOG = 0, /* the job's JOB_CLOSE */
	/* the STEP_CLOSE of the job's extern step, because no JOB_CLOSE will come; the extern step also sends an OPEN */
	CONTROL_ENDS_WITH_EXTERN = 1,
	CONTROL_ENDS_UNANNOUNCED = 2, /* like CONTROL_ENDS_WITH_EXTERN, but the extern step sends no OPEN */
};

/* Who closed a job, and why. */
enum control_closed {
	CONTROL_BY_EPILOG = 0,
	CONTROL_NO_EPILOG = 1,    /* by stintd, because no epilog came */
	CONTROL_EXTERN_ENDED = 2, /* by stintd, because the job sends no JOB_CLOSE and its extern step has ended */
};

struct control_task {
	int32_t stepd_pid; /* pid of the slurmstepd */
	int32_t pid;       /* pid of the task; in the extern step, pid of the only process of the step */
	uint32_t rank;     /* global rank of the task; CONTROL_NONE in the extern step */
};

struct control_open {
	struct control_task task; /* the first task of the step */
	/*
	 * The array's job id. If it is CONTROL_NONE or 0, the job is no task of an array, or the id is not known,
	 * because slurmctld gives the id only to the batch step.
	 */
	uint32_t array_job_id;
	uint32_t array_task_id;
	uint32_t step_nodes;
	uint32_t step_tasks;    /* tasks on all nodes */
	/* How often Slurm has restarted the job; 0 for the first attempt. But Slurm (22.05 to 26.05) always gives 0 here. */
	uint32_t restart_count;
	uint32_t ends;          /* enum control_ends */
	int32_t umask;          /* umask with which slurmstepd creates the files of the step's output; -1: not known */
	uint64_t job_memory_mb; /* memory that the job has on this node (S_JOB_ALLOC_MEM), in MiB; 0: not known */
	char cluster[256];      /* set only in the batch step, because Slurm sets it there; in other steps the user could set it */
	char node_list[2048];   /* in Slurm's form, "n[1-2]"; set only if no JOB_CLOSE will come */
	char work_dir[4096];
	char output[4096];      /* pattern of the report's path, from --stint=output=; empty if the job set none */
};

struct control_step_close {
	int32_t exit_status; /* wait status of the first task that failed; 0 if no task failed */
};

struct control_job_close {
	uint32_t closed_by; /* enum control_closed */
	/* How often Slurm has restarted the job. When a requeued job is closed, the number is already that of the next attempt. */
	uint32_t restart_count;
	/*
	 * Wait status of the job (SLURM_JOB_EXIT_CODE); -1: not known. If Slurm itself ended the job (scancel, time
	 * limit, requeue), the status is also 0, because slurmctld starts the epilog before it knows the status.
	 */
	int32_t exit_status;
	int32_t derived_status; /* the highest exit status of the job's steps (SLURM_JOB_DERIVED_EC); -1: not known */
	char cluster[256];
	char user[256];
	char partition[256];
	char node_list[2048];
	char work_dir[4096];
	char output[4096];
};

/*
 * A control message. Every text ends in a NUL, and is empty if it is not known. A number that is not known is
 * CONTROL_NONE, unless the comment of its field says otherwise. The structure for the fields of one kind of message
 * is at the end.
 */
struct control_message {
	uint32_t magic;
	uint16_t version;
	uint16_t kind; /* enum control_kind */
	uint32_t size; /* size of the whole structure, in bytes */
	/*
	 * enum control_mode. A step may have its own mode (srun --stint), and JOB_CLOSE has the job's mode. If the
	 * extern step's STEP_CLOSE ends the job, and the site turned stint off while the job ran, the mode of that
	 * STEP_CLOSE is OFF.
	 */
	uint32_t mode;
	uint64_t sent_ns; /* CLOCK_BOOTTIME when the message was first sent */
	uint64_t sent_unix_ns; /* CLOCK_REALTIME at the moment of sent_ns */
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

/* Returns the task that an OPEN or a TASK describes; NULL if @message is of another kind. */
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
	uint16_t kind;   /* kind of the message that this reply answers */
	int32_t status;  /* 0 if the message was accepted; -1 if not, with the reason in text */
	char text[252];
};

/*
 * Returns whether @message, of @size bytes, is valid. A valid message has the size and the version of this header,
 * names a job and a user, and has a NUL at the end of each text. A HELLO needs only the right size and version.
 */
bool control_message_valid(const struct control_message *message, size_t size);

#endif
