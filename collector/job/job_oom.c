/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_oom.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/utf8.h"

/*
 * Returns true if the process was killed only with its group (memory.oom.group). The kernel kills the chosen process
 * first, so a victim of the same group came before this one.
 */
static bool was_killed_along(const struct ooms *ooms, const struct event *event)
{
	for (uint32_t i = 0; event->oom.group && i < ooms->count; i++)
		if (ooms->victims[i].state.group == event->oom.group)
			return true;
	return false;
}

void oom_add(struct ooms *ooms, const struct event *event)
{
	struct oom_victim *victim;
	bool along = was_killed_along(ooms, event);

	if (!ooms->victims)
		ooms->victims = calloc(OOM_VICTIMS_MAX, sizeof(*ooms->victims));
	if (!ooms->victims || ooms->count == OOM_VICTIMS_MAX) {
		ooms->lost++;
		return;
	}
	victim = &ooms->victims[ooms->count++];
	victim->time_ns = event->end_ns;
	victim->tool = event->tool;
	victim->step = event->step;
	victim->rss_bytes = event->peak_bytes;
	victim->used_bytes = event->used_bytes;
	victim->limit_bytes = event->limit_bytes;
	victim->state = event->oom;
	victim->along = along;
	victim->pid = event->pid;
	memcpy(victim->comm, event->comm, sizeof(victim->comm));
	/* The kernel may cut the name in the middle of a character. */
	victim->comm[utf8_whole(event->comm, sizeof(victim->comm) - 1)] = '\0';
}

void oom_add_uncounted(struct ooms *ooms, const struct event *event)
{
	ooms->kills++;
	oom_add(ooms, event);
}

/* If there is no free entry, replaces the oldest one: a killed process ends within seconds. */
void oom_wait(struct oom_waiting *waiting, uint32_t pid, uint64_t time_ns)
{
	struct waiting_victim *place = &waiting->victims[0];

	for (int i = 0; i < OOM_WAITING_MAX; i++) {
		struct waiting_victim *victim = &waiting->victims[i];

		if (victim->pid == pid) {
			place = victim;
			break;
		}
		if (victim->time_ns < place->time_ns)
			place = victim;
	}
	place->pid = pid;
	place->time_ns = time_ns;
}

static bool was_killed(const struct event *event)
{
	return !(event->flags & EVENT_REPLACED) && WIFSIGNALED(event->status) && WTERMSIG(event->status) == SIGKILL;
}

bool oom_was_victim(struct oom_waiting *waiting, const struct event *event, struct event *oom)
{
	if (!was_killed(event))
		return false;
	for (int i = 0; i < OOM_WAITING_MAX; i++) {
		uint64_t chosen_ns = waiting->victims[i].time_ns;

		if (waiting->victims[i].pid != event->pid || event->start_ns > chosen_ns ||
		    event->end_ns > chosen_ns + OOM_WAITING_NS)
			continue;
		waiting->victims[i] = (struct waiting_victim){ 0 };
		*oom = (struct event){ .kind = EVENT_OOM,
				       .job = event->job,
				       .step = event->step,
				       .tool = event->tool,
				       .pid = event->pid };
		oom->end_ns = chosen_ns < event->end_ns ? chosen_ns : event->end_ns;
		return true;
	}
	return false;
}

void oom_free(struct ooms *ooms)
{
	free(ooms->victims);
	memset(ooms, 0, sizeof(*ooms));
}
