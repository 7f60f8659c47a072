/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/step.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "spank/message.h"
#include "spank/note.h"
#include "spank/off.h"
#include "spank/plugin.h"
#include "spank/root.h"

static struct {
	bool off;
	bool announced; /* the OPEN was sent, or sending it failed */
	bool unanswered; /* sending the OPEN failed; later messages are only left as notes */
	int exit_status; /* wait status of the first task that failed */
	struct control_message open;
} step;

static uint32_t item(spank_t spank, enum spank_item which)
{
	uint32_t value;

	return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : CONTROL_NONE;
}

/* Takes the name from slurmstepd's environment, which slurmd sets. The user can change only the job's environment. */
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

/* Fills in the name only in the batch step, where slurmctld sets it. In srun's steps, the user can change it. */
static void fill_cluster(spank_t spank, struct control_message *message)
{
	struct control_open *open = &message->open;

	if (message->step_id == STEP_BATCH &&
	    spank_getenv(spank, "SLURM_CLUSTER_NAME", open->cluster, sizeof(open->cluster)) != ESPANK_SUCCESS)
		message_text(open->cluster, sizeof(open->cluster), NULL);
}

/*
 * Fills in the job's nodes if no epilog will name them.
 *
 * - batch step: slurmd's list, whatever the user set (env.c, env_array_for_batch_job())
 * - srun's steps: nothing, because the user can change the list in the environment
 * - extern step: this node, if the job has only one node. Here slurmd sets only the number of nodes (req.c,
 *   _spawn_prolog_stepd())
 */
static void fill_node_list(spank_t spank, struct control_message *message)
{
	struct control_open *open = &message->open;

	if (plugin_has_epilog)
		return;
	if (message->step_id == STEP_BATCH &&
	    spank_getenv(spank, "SLURM_JOB_NODELIST", open->node_list, sizeof(open->node_list)) != ESPANK_SUCCESS)
		message_text(open->node_list, sizeof(open->node_list), NULL);
	else if (message->step_id == STEP_EXTERN && item(spank, S_JOB_NNODES) == 1)
		message_text(open->node_list, sizeof(open->node_list), message->node);
}

/*
 * Returns the pid of the extern step's process; 0 if unknown.
 * For spank, this process is no task. But it is slurmstepd's only child.
 */
static int32_t first_child(void)
{
	cleanup_fclose FILE *children = NULL;
	char path[64];
	int child;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	children = fopen(path, "re");
	return children && fscanf(children, "%d", &child) == 1 ? child : 0;
}

static void fill_task(spank_t spank, uint32_t step_id, struct control_task *task)
{
	pid_t pid;

	task->stepd_pid = getpid();
	if (spank_get_item(spank, S_TASK_PID, &pid) == ESPANK_SUCCESS && pid > 0)
		task->pid = pid;
	else if (step_id == STEP_EXTERN)
		task->pid = first_child();
	task->rank = item(spank, S_TASK_GLOBAL_ID);
}

/*
 * Fills in the job's working directory. Only the batch script is sure to run there.
 *
 * With an epilog, srun's steps send $SLURM_SUBMIT_DIR or the task's directory, until the epilog sends the right one.
 * Without an epilog, srun's steps send no directory. The extern step never sends a directory.
 */
static void fill_work_dir(spank_t spank, struct control_message *message)
{
	struct control_open *open = &message->open;
	char path[sizeof(open->work_dir)];
	char link[64];
	ssize_t length;

	if (message->step_id == STEP_EXTERN || (message->step_id != STEP_BATCH && !plugin_has_epilog))
		return;
	if (message->step_id != STEP_BATCH &&
	    spank_getenv(spank, "SLURM_SUBMIT_DIR", path, sizeof(path)) == ESPANK_SUCCESS) {
		message_text(open->work_dir, sizeof(open->work_dir), path);
		return;
	}
	snprintf(link, sizeof(link), "/proc/%d/cwd", open->task.pid);
	length = readlink(link, path, sizeof(path));
	if (length <= 0 || (size_t)length >= sizeof(path))
		return;
	path[length] = '\0';
	message_text(open->work_dir, sizeof(open->work_dir), path);
}

/*
 * Fills in the array's id and task number, but only in the batch step.
 * In other steps, the user can change the variables from which Slurm reads these numbers (slurmstepd_job.c).
 * Without a task number, leaves out the array's id, too.
 */
static void fill_array(spank_t spank, struct control_message *message)
{
	struct control_open *open = &message->open;

	open->array_job_id = open->array_task_id = CONTROL_NONE;
	if (message->step_id != STEP_BATCH)
		return;
	open->array_task_id = item(spank, S_JOB_ARRAY_TASK_ID);
	open->array_job_id = open->array_task_id == CONTROL_NONE ? CONTROL_NONE : item(spank, S_JOB_ARRAY_ID);
}

static void fill_allocation(spank_t spank, struct control_message *message)
{
	struct control_open *open = &message->open;

	open->step_nodes = item(spank, S_JOB_NNODES);
	open->step_tasks = item(spank, S_JOB_TOTAL_TASK_COUNT);
	if (message->step_id == STEP_BATCH) { /* in the batch step, Slurm gives 0 nodes and 0 tasks */
		open->step_nodes = 1;
		open->step_tasks = 1;
	}
	if (spank_get_item(spank, S_JOB_ALLOC_MEM, &open->job_memory_mb) != ESPANK_SUCCESS)
		open->job_memory_mb = 0;
}

/*
 * Fills in the umask for the job's output, which slurmstepd has set (sbatch --umask, SLURM_UMASK).
 *
 * Reads the umask from /proc, because umask() would change it for a moment for slurmstepd's other threads.
 */
static void fill_umask(struct control_message *message)
{
	cleanup_fclose FILE *status = message->step_id == STEP_EXTERN ? NULL : fopen("/proc/self/status", "re");
	char line[256];
	unsigned int mask;

	message->open.umask = -1;
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Umask: %o", &mask) == 1) {
			message->open.umask = (int32_t)(mask & 0777);
			return;
		}
}

/* @announces_extern: the job's extern step also sends an OPEN */
static void fill_open(spank_t spank, const struct options_job *job, bool announces_extern,
		      struct control_message *message)
{
	struct control_open *open = &message->open;

	message_init(message, CONTROL_OPEN, job->mode);
	message->job_id = item(spank, S_JOB_ID);
	message->step_id = item(spank, S_JOB_STEPID);
	message->uid = item(spank, S_JOB_UID);
	message->gid = item(spank, S_JOB_GID);
	open->restart_count = item(spank, S_SLURM_RESTART_COUNT);
	open->ends = plugin_has_epilog ? CONTROL_ENDS_WITH_EPILOG
		     : announces_extern ? CONTROL_ENDS_WITH_EXTERN : CONTROL_ENDS_UNANNOUNCED;
	fill_node(message);
	fill_cluster(spank, message);
	fill_node_list(spank, message);
	fill_array(spank, message);
	fill_allocation(spank, message);
	fill_task(spank, message->step_id, &open->task);
	fill_work_dir(spank, message);
	fill_umask(message);
	message_text(open->output, sizeof(open->output), job->output);
}

static void fill_from_open(struct control_message *message, enum control_kind kind)
{
	const struct control_message *open = &step.open;

	message_init(message, kind, open->mode);
	message->job_id = open->job_id;
	message->step_id = open->step_id;
	message->uid = open->uid;
	message->gid = open->gid;
	memcpy(message->node, open->node, sizeof(message->node));
}

/*
 * Sends a message without waiting for the answer.
 *
 * Leaves a note first, because stintd may end before it reads the message. stintd removes the note later.
 *
 * Returns 0; -1 with errno set if the message was neither sent nor left as a note.
 */
static int send_without_waiting(const struct options_arguments *site, const struct control_message *message)
{
	bool noted = note_leave(site->run_dir, message, NULL) == 0;
	int why_not = errno;

	if (!step.unanswered && message_send(site->run_dir, message, 0, NULL, NULL) == 0)
		return 0;
	/* Keep EACCES and EPERM of message_send(): root_do() may then send the message again. */
	if (step.unanswered || (errno != EACCES && errno != EPERM))
		errno = why_not;
	return noted ? 0 : -1;
}

/* Sends the step's OPEN. Does not log a failure, because the epilog or stintd logs one line for the whole job. */
static void send_open(const struct options_arguments *site)
{
	struct control_reply reply;

	step.announced = true;
	if (step.open.step_id == STEP_EXTERN) {
		send_without_waiting(site, &step.open);
		return;
	}
	if (message_send(site->run_dir, &step.open, CONTROL_OPEN_WAIT_MS, &reply, NULL) == 0)
		return;
	step.unanswered = true;
	note_leave(site->run_dir, &step.open, NULL);
}

static bool is_extern(spank_t spank)
{
	return item(spank, S_JOB_STEPID) == STEP_EXTERN;
}

/*
 * Returns whether the site has turned stint off for this step.
 *
 * The extern step has no environment that names the partition. So if any partition is off, the extern step is off.
 */
static bool is_off(spank_t spank, const struct options_arguments *site)
{
	char partition[256];
	bool named = false;

	if (site->off_partitions[0]) {
		if (is_extern(spank))
			return true;
		named = spank_getenv(spank, "SLURM_JOB_PARTITION", partition, sizeof(partition)) == ESPANK_SUCCESS;
	}
	return off_for(site, item(spank, S_JOB_UID), named ? partition : NULL);
}

void step_task_started(spank_t spank, const struct options_arguments *site, const struct options_job *job)
{
	struct control_message message;

	step.off = step.off || (!step.announced && is_off(spank, site));
	if (step.off)
		return;
	if (!step.announced) {
		fill_open(spank, job, !site->off_partitions[0], &step.open);
		send_open(site);
		return;
	}
	fill_from_open(&message, CONTROL_TASK);
	fill_task(spank, message.step_id, &message.task);
	send_without_waiting(site, &message);
}

void step_task_ended(spank_t spank)
{
	int status;

	if (!step.exit_status && spank_get_item(spank, S_TASK_EXIT_STATUS, &status) == ESPANK_SUCCESS)
		step.exit_status = status;
}

/*
 * Sends the STEP_CLOSE of the step.
 *
 * If the end of the extern step is the end of the job, sends the STEP_CLOSE even if the extern step sent no OPEN.
 * stintd ignores a STEP_CLOSE of a job that it does not count.
 * If the site has turned stint off since the job began, makes stintd forget the job, and leaves no note.
 */
static int say_ended(void *data)
{
	const struct options_arguments *site = data;
	bool ends_job = !plugin_has_epilog && step.open.step_id == STEP_EXTERN;
	bool off = ends_job && off_for(site, step.open.uid, NULL);
	struct control_message message;

	if (!step.announced && (!ends_job || off))
		return 0;
	fill_from_open(&message, CONTROL_STEP_CLOSE);
	message.step_close.exit_status = step.exit_status;
	if (!off)
		return send_without_waiting(site, &message);
	message.mode = CONTROL_MODE_OFF;
	return message_send(site->run_dir, &message, 0, NULL, NULL);
}

/*
 * Reports a batch step without a task: Slurm could not start it, for example without its output's directory.
 * Without an epilog, nothing else on this node knows the job's --stint.
 */
static void tell_unstarted(spank_t spank, const struct options_arguments *site)
{
	if (plugin_has_epilog || step.announced || step.off || item(spank, S_JOB_STEPID) != STEP_BATCH ||
	    is_off(spank, site))
		return;
	step.exit_status = -1; /* no task, so no exit status */
	fill_open(spank, &plugin.job, !site->off_partitions[0], &step.open);
	send_open(site);
}

void step_ended(spank_t spank, const struct options_arguments *site)
{
	tell_unstarted(spank, site);
	if (!step.announced) {
		if (plugin_has_epilog || !is_extern(spank))
			return;
		fill_open(spank, &plugin.job, false, &step.open);
	}
	root_do(say_ended, (void *)(uintptr_t)site);
}
