/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_phase.h"

#include <stddef.h>

static const struct transition {
	enum job_phase from;
	enum job_event event;
	enum job_phase to;
} transitions[] = {
	{ JOB_OPEN, JOB_CLOSES, JOB_ENDING },
	{ JOB_ENDING, JOB_BUILDER_STARTS, JOB_BUILDING },
	{ JOB_BUILDING, JOB_KEEPER_FAILS, JOB_ENDING },
	{ JOB_BUILDING, JOB_BUILDER_FAILS, JOB_HELD },
	{ JOB_HELD, JOB_BUILDER_STARTS, JOB_BUILDING },
};

enum job_phase job_phase_next(enum job_phase phase, enum job_event event)
{
	for (size_t i = 0; i < sizeof(transitions) / sizeof(transitions[0]); i++)
		if (transitions[i].from == phase && transitions[i].event == event)
			return transitions[i].to;
	return JOB_PHASES;
}

const char *job_phase_name(enum job_phase phase)
{
	static const char *const names[JOB_PHASES] = { "open", "ending", "building", "held" };

	return names[phase];
}

const char *job_event_name(enum job_event event)
{
	static const char *const names[JOB_EVENTS] = { "its close", "a builder's start", "the keeper's failure",
						       "its builder's failure" };

	return names[event];
}
