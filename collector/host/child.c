/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/child.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A child starts as any program would: it inherits no blocked or ignored signals from stintd. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

/*
 * A child that outlived stintd would read maps that the next stintd is replacing. Its record would have less in it, and
 * yet come last.
 */
static void die_with(int parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(CHILD_NO_PARENT);
}

void child_begin(int parent)
{
	die_with(parent);
	reset_signals();
}
