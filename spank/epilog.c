/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a node's epilog, tells the collector that the job has left the node. Only stint.so has this hook.
 * slurmd calls the hook in a separate process (slurmstepd spank epilog).
 */
#include "spank/plugin.h"

#include <stdint.h>
#include <stdlib.h>

#include "spank/message.h"
#include "spank/note.h"
#include "spank/off.h"

/*
 * Reads a number from the epilog's environment.
 * slurmd sets this environment, so the user cannot change it (run_script_health_check.c, prep_script).
 */
static int64_t number(const char *name, int64_t unknown)
{
	const char *text = getenv(name);
	char *end;
	long long value;

	if (!text || !*text)
		return unknown;
	errno = 0;
	value = strtoll(text, &end, 10);
	return *end || errno ? unknown : value;
}

static uint32_t item(spank_t spank, enum spank_item which)
{
	uint32_t value;

	return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : CONTROL_NONE;
}

#define FILL(field, name) message_text(field, sizeof(field), getenv(name))

static void fill_close(spank_t spank, const struct options_job *job, struct control_message *message)
{
	struct control_job_close *close = &message->job_close;

	message_init(message, CONTROL_JOB_CLOSE, job->mode);
	message->job_id = item(spank, S_JOB_ID);
	message->uid = item(spank, S_JOB_UID);
	message->gid = item(spank, S_JOB_GID);
	close->restart_count = number("SLURM_JOB_RESTART_COUNT", CONTROL_NONE);
	close->exit_status = number("SLURM_JOB_EXIT_CODE", -1);
	close->derived_status = number("SLURM_JOB_DERIVED_EC", -1);
	FILL(message->node, "SLURMD_NODENAME");
	FILL(close->cluster, "SLURM_CLUSTER_NAME");
	FILL(close->user, "SLURM_JOB_USER");
	FILL(close->partition, "SLURM_JOB_PARTITION");
	FILL(close->node_list, "SLURM_NODELIST");
	FILL(close->work_dir, "SLURM_JOB_WORK_DIR");
	FILL(close->gpus, "SLURM_JOB_GPUS");
	message_text(close->output, sizeof(close->output), job->output);
}

/*
 * Makes stintd forget a job that it counted before the site turned stint off.
 * Leaves no note, logs nothing and does not wait, because stintd may be gone for good.
 */
static void forget(const struct options_arguments *site, struct control_message *message)
{
	message->mode = CONTROL_MODE_OFF;
	message_send(site->run_dir, message, CONTROL_OPEN_WAIT_MS, NULL, NULL);
}

/*
 * Leaves the JOB_CLOSE as a note for the next stintd, and logs an error.
 *
 * @why: why stintd does not answer
 */
static void leave_note(const struct options_arguments *site, const struct control_message *message,
		       const struct error *why)
{
	struct error err;

	if (note_leave(site->run_dir, message, &err) == 0)
		slurm_error("stint: job %u: stintd does not answer (%s); the job ran, its report will be late and will say "
			    "what is missing", message->job_id, why->text);
	else
		slurm_error("stint: job %u: stintd does not answer (%s), and no note can be left for it (%s); the job ran, "
			    "but gets no report, or an incomplete one if stintd knows the job", message->job_id,
			    why->text, err.text);
}

/* Sends a JOB_CLOSE, and waits at most CONTROL_CLOSE_WAIT_MS for the answer. Without an answer, leaves a note. */
static void close_job(spank_t spank, const struct options_arguments *site, const struct options_job *job)
{
	struct control_message message;
	struct control_reply reply;
	struct error err;

	fill_close(spank, job, &message);
	if (off_for(site, message.uid, message.job_close.partition)) {
		forget(site, &message);
		return;
	}
	if (message_send(site->run_dir, &message, CONTROL_CLOSE_WAIT_MS, &reply, &err) < 0)
		leave_note(site, &message, &err);
	else if (reply.status < 0)
		slurm_error("stint: job %u: %s", message.job_id, reply.text);
}

const bool plugin_has_epilog = true;

/* Slurm calls no other hook in the epilog's process. */
int slurm_spank_job_epilog(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	plugin_read_arguments(count, arguments);
	if (!plugin.enabled)
		return 0;
	plugin_read_option(spank);
	close_job(spank, &plugin.site, &plugin.job);
	return 0;
}
