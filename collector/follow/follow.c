/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/follow.h"

#include "collector/follow/admit.h"
#include "collector/follow/before.h"
#include "collector/follow/end_job.h"
#include "collector/follow/open_step.h"
#include "collector/follow/scan_threads.h"
#include "collector/host/systemd.h"
#include "collector/pressure_limit.h"
#include "collector/reply.h"
#include "collector/sample.h"

void follow_message(struct collector *c, const struct control_message *message, int reply_fd)
{
	switch (message->kind) {
	case CONTROL_OPEN:
		end_former_attempt(c, message);
		open_step(c, message, reply_fd);
		return;
	case CONTROL_TASK:
		open_add_task(c, message);
		break;
	case CONTROL_STEP_CLOSE:
		end_step(c, message);
		break;
	case CONTROL_JOB_CLOSE:
		end_job(c, message, reply_fd);
		return;
	}
	reply_send(reply_fd, message->kind, 0, "");
}

static void take_note(const struct control_message *message, void *data)
{
	struct collector *c = data;

	if (c->starting)
		systemd_extend_start();
	if (!jobs__was_closed(&c->jobs, message))
		follow_message(c, message, -1);
}

void follow_notes(struct collector *c)
{
	journal_take_notes(c->run_fd, take_note, admit_bad_message, c);
}

void follow_received(const struct control_message *message, int reply_fd, void *data)
{
	struct collector *c = data;

	if (message->kind == CONTROL_HELLO) {
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	/* The job is closed, so the note of this message was read before the message came. */
	if (message->kind != CONTROL_JOB_CLOSE && jobs__was_closed(&c->jobs, message)) {
		reply_send(reply_fd, message->kind, 0, "");
		journal_remove_note(c->run_fd, message);
		return;
	}
	/* Read the notes first: a note may contain an earlier message of the job. */
	if (message->kind == CONTROL_JOB_CLOSE || (message->kind != CONTROL_OPEN && !jobs__find(&c->jobs, message)))
		follow_notes(c);
	follow_message(c, message, reply_fd);
	journal_remove_note(c->run_fd, message);
}

bool follow_tick(struct collector *c, bool sample)
{
	bool waiting = scan_if_due(c);

	waiting |= before_find_waiting(c);
	waiting |= end_tick(c);
	deliver_start(c);
	if (sample) {
		sample_jobs(c);
		pressure_limit_jobs(c);
	}
	return waiting;
}
