/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_gpus_allocated.h"

#include "reports/model/report_make.h"
#include "reports/records/record_parts.h"

static bool has_nodes(const struct record_gpu_given_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].node)
			return true;
	return false;
}

static void copy_counts(struct report *report, const struct report_counts *from, struct report_counts *to)
{
	for (size_t i = 0; from->known && i < from->count; i++)
		report_add_value(report, to, from->items[i]);
}

static void put_given(const struct record_gpu_given *given, struct report *report)
{
	struct report_gpu_allocated *out = REPORT_ADD(report, &report->allocated.gpus_allocated, gpu_allocated);

	out->node = report_copy(report, given->node);
	out->kind = report_copy(report, given->kind);
	out->type = report_copy(report, given->type);
	out->count = given->count;
	copy_counts(report, &given->indexes, &out->indexes);
	copy_counts(report, &given->shares, &out->shares);
	copy_counts(report, &given->shares_of, &out->shares_of);
}

/* Returns whether the job had one node. Of a job with more, a record may be missing. */
static bool has_one_node(const struct record_slurm_job *slurm, size_t count)
{
	return count == 1 && slurm->nodes == 1;
}

/*
 * Adds what the epilogs say: SLURM_JOB_GPUS, the indexes of whole GPUs or of those that the job has shares of.
 *
 * @given: what Slurm gave on all nodes together, of one kind and type; NULL if Slurm's answer does not have it
 * @one_node: the job had one node
 *
 * Returns how many GPUs these are.
 */
static int64_t put_of_epilogs(const struct record *const records[], size_t count, const struct record_gpu_given *given,
			      bool one_node, struct report *report)
{
	bool shared = given && !report_text_is(given->kind, "gpu");
	int64_t all = 0;

	for (size_t i = 0; i < count; i++) {
		const struct report_counts *indexes = &records[i]->allocated.gpu_indexes;
		struct report_gpu_allocated *out;

		if (!indexes->known || indexes->count == 0)
			continue;
		out = REPORT_ADD(report, &report->allocated.gpus_allocated, gpu_allocated);
		out->node = report_copy(report, record_node(records[i]));
		out->kind = given ? report_copy(report, given->kind) : "gpu";
		out->type = given ? report_copy(report, given->type) : NULL;
		if (!shared)
			out->count = (int64_t)indexes->count;
		else if (one_node)
			out->count = given->count;
		copy_counts(report, indexes, &out->indexes);
		all += (int64_t)indexes->count;
	}
	return all;
}

/* Adds the GPUs or shares that no node's epilog gives. */
static void put_rest(const struct record_gpu_given *given, bool one_node, int64_t of_epilogs, struct report *report)
{
	struct record_gpu_given rest = *given;

	if (report_text_is(given->kind, "gpu"))
		rest.count -= of_epilogs;
	else if (one_node && of_epilogs)
		return;
	if (rest.count > 0)
		put_given(&rest, report);
}

void gpus_allocated_put(const struct record_slurm_job *slurm, const struct record *const records[], size_t count,
			struct report *report)
{
	const struct record_gpu_given_list *list = &slurm->gpus_allocated;
	const struct record_gpu_given *only = list->count == 1 ? &list->items[0] : NULL;
	int64_t of_epilogs = 0;

	/* With several kinds or types, SLURM_JOB_GPUS does not tell which is which. */
	if (list->count <= 1 && !has_nodes(list))
		of_epilogs = put_of_epilogs(records, count, only, has_one_node(slurm, count), report);
	if (only)
		put_rest(only, has_one_node(slurm, count), of_epilogs, report);
	for (size_t i = 0; !only && i < list->count; i++)
		put_given(&list->items[i], report);
	/* The verdict looks at this number. A store line has it from Slurm only, so the number from the epilogs is not used. */
	if (slurm->gpus > 0)
		report->allocated.gpus = slurm->gpus;
}
