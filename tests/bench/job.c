/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells stintd of a job, as the plugin does.
 *
 *   job RUN_DIR JOB DIRECTORY STEP_DAEMON_PID TASK_PID   opens it, with one step
 *   job RUN_DIR JOB DIRECTORY                            closes it; its report goes to DIRECTORY
 *
 * Exit status 0 when stintd answers that the step is being counted, or that the
 * report is written.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "spank/message.h"

#define WAIT_MS 10000

static void fill(struct control_message *message, char *argv[], bool open)
{
	message_init(message, open ? CONTROL_OPEN : CONTROL_JOB_CLOSE, CONTROL_MODE_DEFAULT);
	message->job_id = atoi(argv[2]);
	message->uid = getuid();
	message->gid = getgid();
	message->restart_count = 0;
	message_text(message->node, sizeof(message->node), "bench");
	message_text(message->node_list, sizeof(message->node_list), open ? "" : "bench");
	message_text(message->work_dir, sizeof(message->work_dir), argv[3]);
	if (!open)
		return;
	message->step_id = 0;
	message->stepd_pid = atoi(argv[4]);
	message->task_pid = atoi(argv[5]);
	message->task_rank = 0;
	message->step_nodes = message->step_tasks = 1;
}

int main(int argc, char *argv[])
{
	struct control_message message;
	struct control_reply reply;
	struct error err;

	if (argc != 4 && argc != 6) {
		fprintf(stderr, "usage: job RUN_DIR JOB DIRECTORY [STEP_DAEMON_PID TASK_PID]\n");
		return 2;
	}
	fill(&message, argv, argc == 6);
	if (message_send(argv[1], &message, WAIT_MS, &reply, &err) < 0) {
		fprintf(stderr, "job: %s\n", err.text);
		return 1;
	}
	if (reply.status != 0)
		fprintf(stderr, "job: stintd: %s\n", reply.text);
	return reply.status != 0;
}
