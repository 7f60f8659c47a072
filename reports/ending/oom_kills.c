/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/oom_kills.h"

#include <math.h>
#include <stddef.h>

#include "reports/ending/parts.h"

#define MOST_PART 0.5 /* a larger share is most of the limit, or most of the kernel's memory */
/*
 * Least reclaimable share of slabs that are full of names and inodes of files.
 * A name takes 192 bytes (struct dentry), and its inode at most about 1,100 on ext4.
 * On tmpfs, the inode takes about 750 bytes, which are not reclaimable.
 */
#define NAMES_PART 0.1

/* A resident set includes pages of mapped files, which the limit may not cover. So used_bytes is better. */
static bool is_larger(const struct report_oom_kill *victim, const struct report_oom_kill *other)
{
	double used = report_number(victim->used_bytes), there = report_number(other->used_bytes);

	return isnan(used) || isnan(there) ? report_number(victim->rss_bytes) > report_number(other->rss_bytes) : used > there;
}

const struct report_oom_kill *oom_kills_largest(const struct report *report)
{
	const struct report_oom_kill *largest = NULL;

	for (size_t i = 0; i < report->oom.count; i++) {
		const struct report_oom_kill *victim = &report->oom.items[i];

		if (!largest || (largest->along && !victim->along) ||
		    (largest->along == victim->along && is_larger(victim, largest)))
			largest = victim;
	}
	return largest;
}

static int rank_of(const struct report_oom_kill *victim)
{
	return 2 * victim->along + victim->node_ran_out;
}

const struct report_oom_kill *oom_kills_first(const struct report *report)
{
	const struct report_oom_kill *first = NULL;

	for (size_t i = 0; i < report->oom.count; i++)
		if (!first || rank_of(&report->oom.items[i]) < rank_of(first))
			first = &report->oom.items[i];
	return first;
}

double oom_kills_along(const struct report *report)
{
	double count = 0;

	for (size_t i = 0; i < report->oom.count; i++)
		count += report->oom.items[i].along;
	return count;
}

double oom_kills_of_node(const struct report *report)
{
	double count = 0;

	for (size_t i = 0; i < report->oom.count; i++)
		count += report->oom.items[i].node_ran_out;
	return count;
}

double oom_kills_of_slurm(const struct report *report)
{
	double count = 0;

	for (size_t i = 0; i < report->oom.count; i++)
		count += report->oom.items[i].slurm;
	return count;
}

static bool is_script(const struct report_oom_kill *victim, const struct report_step *batch)
{
	const struct report_task *script = batch->tasks.count > 0 ? &batch->tasks.items[0] : NULL;

	return script && script->pid >= 0 && victim->pid == script->pid && report_text_is(victim->step, batch->id) &&
	       (!victim->node || !script->node || report_text_is(victim->node, script->node));
}

/* If the script's step has an exit status, or the job has one of these states, slurmstepd noticed the script's end. */
const struct report_oom_kill *oom_kills_unnoticed(const struct report *report)
{
	static const char *const noticed[] = { "COMPLETED", "FAILED", "OUT_OF_MEMORY" };
	const struct report_step *batch = parts_batch_step(report);

	if (!report->job.state || !batch || batch->exit_code >= 0 || batch->signal >= 0)
		return NULL;
	for (size_t i = 0; i < sizeof(noticed) / sizeof(noticed[0]); i++)
		if (report_text_is(report->job.state, noticed[i]))
			return NULL;
	for (size_t i = 0; i < report->oom.count; i++)
		if (is_script(&report->oom.items[i], batch))
			return &report->oom.items[i];
	return NULL;
}

const char *oom_kills_kernel_memory(const struct report_oom_kill *victim)
{
	double kernel, slab;

	if (!victim || victim->node_ran_out)
		return NULL;
	kernel = report_number(victim->kernel_bytes);
	slab = report_number(victim->slab_bytes);
	if (!(kernel >= MOST_PART * report_number(victim->limit_bytes)))
		return NULL;
	if (report_number(victim->page_table_bytes) >= MOST_PART * kernel)
		return "page tables";
	if (slab >= MOST_PART * kernel)
		return report_number(victim->names_bytes) >= NAMES_PART * slab ? "names and inodes of files" : "its small objects";
	return "stacks, sockets, page tables";
}
