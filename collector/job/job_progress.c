/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_progress.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bytes_of(const __u64 use[ABI_USES_SENT])
{
	return use[USE_READ_BYTES] + use[USE_WRITE_BYTES] + use[USE_SYSCALL_READ_BYTES] + use[USE_SYSCALL_WRITE_BYTES] +
	       use[USE_SOCKET_RX_BYTES] + use[USE_SOCKET_TX_BYTES];
}

bool progress_is_active(const __u64 before[ABI_USES_SENT], const __u64 after[ABI_USES_SENT], uint64_t ns)
{
	uint64_t bytes = bytes_of(after) - bytes_of(before);

	return (after[USE_ON_CPU] - before[USE_ON_CPU]) > ns / PROGRESS_CPU_SHARE ||
	       bytes > ns * PROGRESS_BYTES_PER_S / 1e9;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns true if the last active period may be only the start or end of a script. @quiet_ns: quiet time beside it */
static bool is_edge(const struct progress *progress, uint64_t quiet_ns)
{
	const struct stretch *last = &progress->last;
	uint64_t lasted_ns = smaller(last->lasted_ns, progress->last_ns - last->begin_ns);

	return last->cpu_ns <= PROGRESS_EDGE_CPU_NS && last->cpu_ns < quiet_ns / PROGRESS_CPU_SHARE &&
	       last->bytes <= PROGRESS_EDGE_BYTES && lasted_ns < quiet_ns / PROGRESS_EDGE_TIME_SHARE;
}

/* Returns true if all activity up to @to_ns was only the start of the job. */
static bool was_start(const struct progress *progress, uint64_t to_ns)
{
	return progress->last_ns && progress->last.begin_ns == progress->begin_ns &&
	       is_edge(progress, to_ns - progress->last_ns);
}

static void begin_stretch(struct progress *progress, uint64_t from_ns)
{
	bool started = was_start(progress, from_ns);

	if (!progress->first_ns || started)
		progress->first_ns = from_ns;
	progress->before_ns = started ? 0 : progress->last_ns;
	progress->last = (struct stretch){ .begin_ns = from_ns };
}

void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[ABI_USES_SENT],
		   const __u64 after[ABI_USES_SENT])
{
	if (to_ns <= from_ns)
		return;
	if (!progress->begin_ns)
		progress->begin_ns = from_ns;
	progress->end_ns = to_ns;
	if (!progress_is_active(before, after, to_ns - from_ns))
		return;
	if (progress->last_ns != from_ns)
		begin_stretch(progress, from_ns);
	progress->last.cpu_ns += after[USE_ON_CPU] - before[USE_ON_CPU];
	progress->last.bytes += bytes_of(after) - bytes_of(before);
	progress->last.lasted_ns += smaller(to_ns - from_ns, PROGRESS_SAMPLE_NS);
	progress->last_ns = to_ns;
}

void progress_end(struct progress *progress, uint64_t end_ns)
{
	if (end_ns < progress->last.begin_ns)
		end_ns = progress->last.begin_ns;
	if (progress->end_ns > end_ns)
		progress->end_ns = end_ns;
	if (progress->last_ns > end_ns)
		progress->last_ns = end_ns;
}

bool progress_activity(const struct progress *progress, uint64_t *first_ns, uint64_t *last_ns)
{
	uint64_t quiet_from_ns = progress->before_ns ? progress->before_ns : progress->begin_ns;
	bool ends = progress->last_ns == progress->end_ns && is_edge(progress, progress->last.begin_ns - quiet_from_ns);

	*first_ns = progress->first_ns;
	*last_ns = ends ? progress->before_ns : progress->last_ns;
	return progress->first_ns && *last_ns && !was_start(progress, progress->end_ns);
}

/* Returns the rank of a stall; PROGRESS_STALLS_MAX if it is too short for the list. */
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
