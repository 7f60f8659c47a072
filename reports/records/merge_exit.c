/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdint.h>
#include <sys/wait.h>

void merge_exit(int64_t status, int64_t *exit_code, int64_t *signal)
{
	int wait_status = (int)(status & 0xffff); /* a wait status has no other bits */

	*exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
	*signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
}
