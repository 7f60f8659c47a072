/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/job_state.h"

#include <stddef.h>
#include <string.h>

bool state_waits(const char *state)
{
	return state && strcmp(state, "PENDING") == 0;
}

bool state_runs(const char *state)
{
	return state && (strcmp(state, "RUNNING") == 0 || strcmp(state, "SUSPENDED") == 0);
}

bool state_goes_on(const char *state)
{
	return state_waits(state) || state_runs(state);
}

bool state_comes_unstarted(const char *state)
{
	return state && (strcmp(state, "CANCELLED") == 0 || strcmp(state, "FAILED") == 0 || strcmp(state, "DEADLINE") == 0);
}
