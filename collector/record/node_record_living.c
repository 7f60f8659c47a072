/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the live processes of a running job. */
#include <stdio.h>
#include <stdlib.h>

#include "collector/record/node_record_internal.h"
#include "common/clock.h"
#include "common/memory/array.h"

struct looking {
	struct build *b;
	struct living *threads;
	size_t count;
	bool failed;
};

static void collect_thread(const struct living *living, void *data)
{
	struct looking *looking = data;

	if (!array_room(&looking->threads, looking->count, sizeof(*looking->threads))) {
		looking->failed = true;
		return;
	}
	looking->threads[looking->count++] = *living;
}

static int by_process(const void *left, const void *right)
{
	const struct living *a = left, *b = right;

	return (a->process > b->process) - (a->process < b->process);
}

static int by_start(const void *left, const void *right)
{
	const struct living *a = left, *b = right;

	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static void add_sums(__u64 *to, const __u64 *use)
{
	for (int i = 0; i < USES; i++)
		to[i] += use[i];
}

/* Adds a live thread to the sums, as the kernel programs do when a thread ends. */
static void add_thread(struct build *b, const struct living *thread)
{
	if (thread->flags & EVENT_BESIDE)
		return;
	add_sums(b->totals.use, thread->use);
	for (uint32_t i = 0; b->step_totals && i < b->job->step_count; i++)
		if (b->job->steps[i].cgroup == thread->step)
			add_sums(b->step_totals[i].use, thread->use);
	if (b->living_cpu_ns && thread->cpu < ABI_CPUS_MAX)
		b->living_cpu_ns[thread->cpu] += thread->cpu_ns;
}

/* Merges the threads of a process into one entry. Drops threads of processes without an entry in the kernel's table. */
static void join_processes(struct looking *looking)
{
	struct living *list = looking->threads;
	size_t kept = 0;

	if (looking->count)
		qsort(list, looking->count, sizeof(*list), by_process);
	for (size_t i = 0; i < looking->count; i++) {
		if (!list[i].process || !list[i].tool)
			continue;
		if (kept && list[kept - 1].process == list[i].process) {
			add_sums(list[kept - 1].use, list[i].use);
			continue;
		}
		list[kept] = list[i];
		add_sums(list[kept].use, list[i].ended);
		kept++;
	}
	looking->count = kept;
}

static void add_image(struct build *b, const struct living *image)
{
	struct listed_tool *listed = node_record_tool(b, image->tool);

	if (!listed)
		return;
	listed->living++;
	add_sums(listed->tool.use, image->use);
	if ((image->flags & EVENT_EXECED) && b->job->closing.close_ns > image->start_ns)
		listed->tool.wall_ns += b->job->closing.close_ns - image->start_ns;
	if (listed->tool.threads_peak < image->threads_peak)
		listed->tool.threads_peak = image->threads_peak;
}

/* Takes the job's last sample, because the live threads were not read. Tools and steps have no samples. */
static void take_samples(struct build *b)
{
	char old[192];

	for (int i = 0; i < ABI_USES_SENT; i++)
		if (b->job->so_far[i] > b->totals.use[i])
			b->totals.use[i] = b->job->so_far[i];
	node_record_gap(b, "tools",
			"what a running process has used is only in the job's sums: tools and steps include it when the process has "
			"ended");
	if (b->job->so_far_old) {
		snprintf(old, sizeof(old),
			 "what running processes have used was last read %.0f s ago: this node has so many threads that stintd reads "
			 "them less often",
			 (clock_ns(CLOCK_BOOTTIME) - b->job->so_far_ns) / 1e9);
		node_record_gap(b, "tools", old);
	}
}

/* Call before the walk over live threads, so that no time is counted twice. */
static void read_cpus(struct build *b)
{
	uint64_t *ns = calloc(ABI_CPUS_MAX, sizeof(*ns));

	if (ns && programs__cpu_uses(b->source->programs, b->totals.slot, b->job->key, ns, ABI_CPUS_MAX) == 0)
		b->living_cpu_ns = ns;
	else
		free(ns);
}

void node_record_look_at_living(struct build *b)
{
	struct looking looking = { .b = b };

	read_cpus(b);
	if (!b->have_totals || b->job->so_far_old ||
	    programs__living(b->source->programs, b->job->key, collect_thread, &looking) < 0 ||
	    looking.failed) {
		free(looking.threads);
		take_samples(b);
		return;
	}
	for (size_t i = 0; i < looking.count; i++)
		add_thread(b, &looking.threads[i]);
	join_processes(&looking);
	for (size_t i = 0; i < looking.count; i++)
		add_image(b, &looking.threads[i]);
	if (looking.count)
		qsort(looking.threads, looking.count, sizeof(*looking.threads), by_start);
	b->living_known = true;
	b->living = looking.threads;
	b->living_count = looking.count;
}
