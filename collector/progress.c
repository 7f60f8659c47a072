/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/progress.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bytes_of(const __u64 use[RECORD_USES_TOLD])
{
	return use[USE_READ_BYTES] + use[USE_WRITE_BYTES] + use[USE_SYSCALL_READ_BYTES] + use[USE_SYSCALL_WRITE_BYTES] +
	       use[USE_SOCKET_RX_BYTES] + use[USE_SOCKET_TX_BYTES];
}

bool progress_is_active(const __u64 before[RECORD_USES_TOLD], const __u64 after[RECORD_USES_TOLD], uint64_t ns)
{
	uint64_t bytes = bytes_of(after) - bytes_of(before);

	return (after[USE_ON_CPU] - before[USE_ON_CPU]) > ns / PROGRESS_CPU_SHARE ||
	       bytes > ns * PROGRESS_BYTES_PER_S / 1e9;
}

void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[RECORD_USES_TOLD],
		   const __u64 after[RECORD_USES_TOLD])
{
	if (to_ns <= from_ns || !progress_is_active(before, after, to_ns - from_ns))
		return;
	if (!progress->first_ns)
		progress->first_ns = from_ns;
	progress->last_ns = to_ns;
}

/* Where a stall of @quiet_ns belongs; PROGRESS_STALLS_MAX: nowhere. */
static unsigned int rank_of(const struct progress *progress, uint64_t quiet_ns)
{
	unsigned int rank = progress->stall_count;

	while (rank > 0 && progress->stalls[rank - 1].quiet_ns < quiet_ns)
		rank--;
	return rank;
}

void progress_image_ended(struct progress *progress, const struct event *event, uint64_t stall_ns)
{
	unsigned int rank = rank_of(progress, event->quiet_ns);
	struct stall *at;

	if (event->quiet_ns < stall_ns || (event->flags & EVENT_SLURM) || rank == PROGRESS_STALLS_MAX)
		return;
	if (!progress->stalls)
		progress->stalls = calloc(PROGRESS_STALLS_MAX, sizeof(*progress->stalls));
	if (!progress->stalls)
		return;
	if (progress->stall_count < PROGRESS_STALLS_MAX)
		progress->stall_count++;
	at = &progress->stalls[rank];
	memmove(at + 1, at, (progress->stall_count - 1 - rank) * sizeof(*at));
	at->tool = event->tool;
	at->step = event->step;
	at->start_ns = event->quiet_since_ns;
	at->quiet_ns = event->quiet_ns;
	at->pid = event->pid;
}

void progress_free(struct progress *progress)
{
	free(progress->stalls);
	memset(progress, 0, sizeof(*progress));
}
