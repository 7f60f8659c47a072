/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/step.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "spank/message.h"
#include "spank/note.h"

#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu

/* One slurmstepd runs one step. */
static struct {
	bool told;        /* OPEN was sent, or tried */
	bool unanswered;  /* it failed: what follows is left as notes alone */
	int exit_status;  /* wait status of the first task that failed */
	struct control_message open;
} step;

static uint32_t item(spank_t spank, enum spank_item which)
{
	uint32_t value;

	return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : CONTROL_NONE;
}

/*
 * The node's name is in slurmstepd's own environment, where slurmd put it;
 * the job's environment is the user's word.
 */
static void fill_node(struct control_message *message)
{
	char host[sizeof(message->node)] = "";

	if (getenv("SLURMD_NODENAME")) {
		message_text(message->node, sizeof(message->node), getenv("SLURMD_NODENAME"));
		return;
	}
	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ".")] = '\0';
	message_text(message->node, sizeof(message->node), host);
}

/* slurmctld sets the cluster's name for the batch step alone; with srun it is what the user's environment has. */
static void fill_cluster(spank_t spank, struct control_message *message)
{
	if (message->step_id == STEP_BATCH &&
	    spank_getenv(spank, "SLURM_CLUSTER_NAME", message->cluster, sizeof(message->cluster)) != ESPANK_SUCCESS)
		message_text(message->cluster, sizeof(message->cluster), NULL);
}

/* The extern step's process is no task for spank: it is the only child of its slurmstepd. */
static int32_t first_child(void)
{
	cleanup_fclose FILE *children = NULL;
	char path[64];
	int child;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	children = fopen(path, "re");
	return children && fscanf(children, "%d", &child) == 1 ? child : 0;
}

static void fill_task(spank_t spank, struct control_message *message)
{
	pid_t pid;

	if (spank_get_item(spank, S_TASK_PID, &pid) == ESPANK_SUCCESS && pid > 0)
		message->task_pid = pid;
	else if (message->step_id == STEP_EXTERN)
		message->task_pid = first_child();
	message->task_rank = item(spank, S_TASK_GLOBAL_ID);
}

/* The task stands in its working directory already; the batch script's is the job's. */
static void fill_work_dir(spank_t spank, struct control_message *message)
{
	char path[sizeof(message->work_dir)];
	char link[64];
	ssize_t length;

	if (message->step_id == STEP_EXTERN)
		return;
	if (message->step_id != STEP_BATCH &&
	    spank_getenv(spank, "SLURM_SUBMIT_DIR", path, sizeof(path)) == ESPANK_SUCCESS) {
		message_text(message->work_dir, sizeof(message->work_dir), path);
		return;
	}
	snprintf(link, sizeof(link), "/proc/%d/cwd", message->task_pid);
	length = readlink(link, path, sizeof(path));
	if (length <= 0 || (size_t)length >= sizeof(path))
		return;
	path[length] = '\0';
	message_text(message->work_dir, sizeof(message->work_dir), path);
}

/* Slurm numbers arrays in every step, but tells the task's number in some only: half an identity is none. */
static void fill_array(spank_t spank, struct control_message *message)
{
	message->array_task_id = item(spank, S_JOB_ARRAY_TASK_ID);
	message->array_job_id = message->array_task_id == CONTROL_NONE ? CONTROL_NONE : item(spank, S_JOB_ARRAY_ID);
}

static void fill_allocation(spank_t spank, struct control_message *message)
{
	message->step_nodes = item(spank, S_JOB_NNODES);
	message->step_tasks = item(spank, S_JOB_TOTAL_TASK_COUNT);
	if (message->step_id == STEP_BATCH) { /* for which Slurm says 0 */
		message->step_nodes = 1;
		message->step_tasks = 1;
	}
	if (spank_get_item(spank, S_JOB_ALLOC_MEM, &message->job_memory_mb) != ESPANK_SUCCESS)
		message->job_memory_mb = 0;
}

static void fill_open(spank_t spank, const struct options_job *job, struct control_message *message)
{
	message_init(message, CONTROL_OPEN, job->mode);
	message->job_id = item(spank, S_JOB_ID);
	message->step_id = item(spank, S_JOB_STEPID);
	message->uid = item(spank, S_JOB_UID);
	message->gid = item(spank, S_JOB_GID);
	message->stepd_pid = getpid();
	message->restart_count = item(spank, S_SLURM_RESTART_COUNT);
	fill_node(message);
	fill_cluster(spank, message);
	fill_array(spank, message);
	fill_allocation(spank, message);
	fill_task(spank, message);
	fill_work_dir(spank, message);
	message_text(message->output, sizeof(message->output), job->output);
}

/* What the later messages of the step have in common with its first. */
static void fill_from_open(struct control_message *message, enum control_kind kind)
{
	const struct control_message *open = &step.open;

	message_init(message, kind, open->mode);
	message->job_id = open->job_id;
	message->step_id = open->step_id;
	message->uid = open->uid;
	message->gid = open->gid;
	message->stepd_pid = open->stepd_pid;
	message->array_job_id = open->array_job_id;
	message->array_task_id = open->array_task_id;
	message->step_nodes = open->step_nodes;
	message->step_tasks = open->step_tasks;
	memcpy(message->node, open->node, sizeof(message->node));
	memcpy(message->cluster, open->cluster, sizeof(message->cluster));
}

/*
 * Says what nobody waits for. The note comes first, and stintd removes it: one that ends with the message in its socket
 * has lost nothing.
 */
static void tell(const struct options_arguments *site, const struct control_message *message)
{
	note_leave(site->run_dir, message, NULL);
	if (!step.unanswered)
		message_send(site->run_dir, message, 0, NULL, NULL);
}

/*
 * What fails here is not logged: a job has several steps, and one line of it is
 * enough. The epilog's is that line, or stintd's own when it is back by then.
 */
static void tell_open(const struct options_arguments *site)
{
	struct control_reply reply;

	step.told = true;
	if (step.open.step_id == STEP_EXTERN) {
		tell(site, &step.open);
		return;
	}
	if (message_send(site->run_dir, &step.open, CONTROL_OPEN_WAIT_MS, &reply, NULL) == 0)
		return;
	step.unanswered = true;
	note_leave(site->run_dir, &step.open, NULL);
}

void step_task_started(spank_t spank, const struct options_arguments *site, const struct options_job *job)
{
	struct control_message message;

	if (!step.told) {
		fill_open(spank, job, &step.open);
		tell_open(site);
		return;
	}
	fill_from_open(&message, CONTROL_TASK);
	fill_task(spank, &message);
	tell(site, &message);
}

void step_task_ended(spank_t spank)
{
	int status;

	if (!step.exit_status && spank_get_item(spank, S_TASK_EXIT_STATUS, &status) == ESPANK_SUCCESS)
		step.exit_status = status;
}

void step_ended(const struct options_arguments *site)
{
	struct control_message message;

	if (!step.told)
		return;
	fill_from_open(&message, CONTROL_STEP_CLOSE);
	message.exit_status = step.exit_status;
	tell(site, &message);
}
