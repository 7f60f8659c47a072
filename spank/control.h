/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control message: all that the plugin and the collector share.
 *
 * The plugin connects to RUN_DIR/stintd.sock (SOCK_SEQPACKET) and sends one
 * message a connection. The collector believes root alone (SO_PEERCRED), and
 * answers each with one struct control_reply:
 * to an open when every process of the step is being counted, to a close when
 * the report has been written (or cannot be). For the others nobody has to wait. The
 * extern step's open is answered too, but its plugin does not wait (the next
 * step starts only behind it, and two waits would add up): the answer may find
 * the connection closed.
 *
 * A message that got no answer in time, or found no collector, is left as a
 * file in RUN_DIR/notes/ when that directory exists, by a temporary name and
 * rename; the collector takes the notes up when it starts and while it runs. A note is
 * the same bytes. A message that was sent and got no answer in time is there
 * twice, in the socket and as a note: taking it up again changes nothing.
 * One whose answer the plugin does not wait for is left as a note before it is sent, and
 * the collector removes the note when it has taken the message in: a collector that is
 * killed in between loses nothing, and nobody waits.
 *
 * Both sides run on one machine and are installed together; the version is
 * there so that an upgrade between two steps of a job is noticed.
 */
#ifndef STINT_CONTROL_H
#define STINT_CONTROL_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#define CONTROL_MAGIC 0x544e5453u /* "STNT" */
#define CONTROL_VERSION 1
#define CONTROL_SOCKET "stintd.sock" /* below the run directory */
#define CONTROL_NOTES "notes"        /* below the run directory */

#define CONTROL_OPEN_WAIT_MS 230  /* the longest the plugin holds a step's start, all told: 250 less the calls around it */
#define CONTROL_CLOSE_WAIT_MS 1800 /* the longest it holds a job's epilog, all told */

#define CONTROL_NONE 0xfffffffeu /* Slurm's NO_VAL: not an array task, not a het component, not known */

enum control_kind {
	CONTROL_OPEN = 1,   /* a step is about to run its first task; from inside the step's cgroup */
	CONTROL_TASK = 2,   /* one task of it: pid and rank */
	CONTROL_STEP_CLOSE = 3, /* the step's tasks have ended */
	CONTROL_JOB_CLOSE = 4,  /* the job has left the node; its cgroups are gone */
	CONTROL_HELLO = 5,      /* stint doctor's: tells of nothing, and is answered at once */
};

enum control_mode {
	CONTROL_MODE_DEFAULT = 0, /* the job did not say: stint.conf decides */
	CONTROL_MODE_OFF = 1,
	CONTROL_MODE_SUMMARY = 2,
	CONTROL_MODE_TIMELINE = 3,
};

/*
 * Every text ends in a NUL and is empty when not known. Numbers that are not
 * known are CONTROL_NONE. Fields beyond a kind's own are zero.
 */
struct control_message {
	uint32_t magic;
	uint16_t version;
	uint16_t kind; /* enum control_kind */
	uint32_t size; /* of the whole structure */
	uint32_t mode; /* enum control_mode; a step may have its own (srun --stint), JOB_CLOSE has the job's */
	uint64_t sent_ns; /* CLOCK_BOOTTIME when it was first sent */
	uint64_t sent_unix_ns; /* CLOCK_REALTIME then */

	/* every kind */
	uint32_t job_id;
	uint32_t step_id; /* Slurm's numbers: batch 0xfffffffb, extern 0xfffffffc, interactive 0xfffffffa; NONE in JOB_CLOSE */
	uint32_t uid;
	uint32_t gid;
	char node[256];    /* Slurm's name of this node (several may be on one host) */
	char cluster[256]; /* batch step and JOB_CLOSE only: Slurm's word; elsewhere it would be the user's */

	/* OPEN, TASK, STEP_CLOSE */
	uint32_t array_job_id;  /* NONE or 0: not an array task, or not told (the extern step is not) */
	uint32_t array_task_id;
	int32_t stepd_pid;      /* the slurmstepd's own */
	int32_t task_pid;       /* OPEN, TASK: the task's (extern: of the process that stands for it); 0 else */
	uint32_t task_rank;     /* OPEN, TASK: global rank; NONE in the extern step */
	uint32_t step_nodes;    /* nodes of the step */
	uint32_t step_tasks;    /* tasks of the step, over all nodes */
	uint32_t restart_count; /* OPEN, JOB_CLOSE: Slurm's, 0 for the first attempt. The close of a requeued job
				 * has the next attempt's already: OPEN's counts */
	uint64_t job_memory_mb; /* allocated on this node (S_JOB_ALLOC_MEM); 0 not known */
	int32_t exit_status;    /* STEP_CLOSE: wait status of the first task that failed, else 0.
				 * JOB_CLOSE: wait status of the job (SLURM_JOB_EXIT_CODE); -1 not known. 0 too for a
				 * job that Slurm ended (scancel, time limit, requeue): it was not known when
				 * slurmctld called the epilog, and slurmctld has it meanwhile */
	int32_t derived_status; /* JOB_CLOSE: highest of the steps (SLURM_JOB_DERIVED_EC); -1 not known */

	/* JOB_CLOSE */
	char user[256];
	char partition[256];
	char node_list[2048];  /* as Slurm writes it, "n[1-2]" */

	/* OPEN, JOB_CLOSE */
	char work_dir[4096];
	char output[4096]; /* pattern from --stint=output=, or empty */
};

#define CONTROL_NOTE_NAME_MAX 80

/* The name of @message's note: JOB.STEP.KIND.TIME, the time being that of its sending. */
static inline void control_note_name(const struct control_message *message, char name[CONTROL_NOTE_NAME_MAX])
{
	static const char *const kinds[] = { "?", "open", "task", "step-close", "job-close" };

	snprintf(name, CONTROL_NOTE_NAME_MAX, "%u.%u.%s.%" PRIu64, message->job_id, message->step_id,
		 kinds[message->kind <= CONTROL_JOB_CLOSE ? message->kind : 0], message->sent_ns);
}

struct control_reply {
	uint32_t magic;
	uint16_t version;
	uint16_t kind;   /* of the message that is answered */
	int32_t status;  /* 0, or -1 with the reason in text */
	char text[252];
};

#endif
