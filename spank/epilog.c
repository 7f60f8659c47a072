/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/epilog.h"

#include <errno.h>
#include <stdlib.h>

#include "spank/message.h"
#include "spank/note.h"

/* slurmd sets the epilog's environment by itself (run_script_health_check.c, prep_script): root's word. */
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
	message_init(message, CONTROL_JOB_CLOSE, job->mode);
	message->job_id = item(spank, S_JOB_ID);
	message->uid = item(spank, S_JOB_UID);
	message->gid = item(spank, S_JOB_GID);
	message->restart_count = number("SLURM_JOB_RESTART_COUNT", CONTROL_NONE);
	message->exit_status = number("SLURM_JOB_EXIT_CODE", -1);
	message->derived_status = number("SLURM_JOB_DERIVED_EC", -1);
	FILL(message->node, "SLURMD_NODENAME");
	FILL(message->cluster, "SLURM_CLUSTER_NAME");
	FILL(message->user, "SLURM_JOB_USER");
	FILL(message->partition, "SLURM_JOB_PARTITION");
	FILL(message->node_list, "SLURM_NODELIST");
	FILL(message->work_dir, "SLURM_JOB_WORK_DIR");
	message_text(message->output, sizeof(message->output), job->output);
}

void epilog_run(spank_t spank, const struct options_arguments *site, const struct options_job *job)
{
	struct control_message message;
	struct control_reply reply;
	struct error err;

	fill_close(spank, job, &message);
	if (message_send(site->run_dir, &message, CONTROL_CLOSE_WAIT_MS, &reply, &err) < 0) {
		slurm_error("stint: job %u: stintd does not answer (%s); the job ran, its report will be late and say "
			    "what is missing", message.job_id, err.text);
		note_leave(site->run_dir, &message, NULL);
	} else if (reply.status < 0) {
		slurm_error("stint: job %u: %s", message.job_id, reply.text);
	}
}
