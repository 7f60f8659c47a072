/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/node_records.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/memory/memory_limit.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/json/smaller.h"
#include "reports/records/kept.h"
#include "reports/records/record_parts.h"

struct from_node {
	struct record *record; /* NULL: not there, or freed by node_records_spend() */
	bool read; /* there is or was a record */
	struct part_set_stamp refused; /* of the refused part */
	bool refused_now; /* not read again for this report */
	struct error reason; /* why there is no record */
};

struct node_records {
	struct node_source source;
	size_t count; /* of nodes */
	size_t waited_for; /* earlier nodes have arrived */
	bool failed; /* out of memory */
	struct part_bounds kept; /* bounds, less the kept records */
	struct part_bounds left; /* bounds, less kept and refused parts */
	struct from_node *nodes;
	const struct record **records; /* for node_records_list() */
	struct build_missing *missing;
};

static const char *node_name(const struct node_records *all, size_t i)
{
	return all->source.nodes->items[i] ?: "?";
}

static bool is_own(const struct node_records *all, size_t i)
{
	return strcmp(node_name(all, i), all->source.own->node) == 0;
}

struct node_records *node_records_begin(const struct node_source *source)
{
	struct node_records *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->source = *source;
	all->count = source->nodes->count;
	all->kept = all->left = part_form_begin(all->count);
	all->nodes = calloc(all->count, sizeof(*all->nodes));
	all->records = calloc(all->count, sizeof(*all->records));
	all->missing = calloc(all->count, sizeof(*all->missing));
	if (all->nodes && all->records && all->missing)
		return all;
	node_records_free(all);
	return NULL;
}

void node_records_free(struct node_records *all)
{
	if (!all)
		return;
	for (size_t i = 0; all->nodes && i < all->count; i++)
		record_free(all->nodes[i].record);
	free(all->nodes);
	free(all->records);
	free(all->missing);
	free(all);
}

int node_records_trim(struct record *record, size_t nodes)
{
	if (nodes > 1) {
		record_trim_timeline(record, part_form_kept(PART_FORM_TIMELINE_ENTRIES, nodes));
		series_trim(record, part_form_kept(PART_FORM_SERIES_POINTS, nodes));
		files_trim(record, part_form_kept(PART_FORM_FILES, nodes));
	}
	return report_lacks_memory(record_memory(record)) ? -1 : 0;
}

static void keep_proof(const struct node_records *all, size_t i, const char *credential)
{
	if (all->source.proofs)
		snprintf(all->source.proofs[i], PROOF_MAX, "%s", credential ? credential : "");
}

static struct record *read_part(struct node_records *all, size_t i)
{
	const struct part_set_wanted wanted = { all->source.dirfd, all->source.own, node_name(all, i), .leads = i == 0 };
	struct from_node *node = &all->nodes[i];
	struct part_bounds before = all->left;
	struct part_set_found part;
	struct record *record;

	record = part_set_read(&wanted, &all->source.wanted, &all->left, &part, &node->reason);
	keep_proof(all, i, record ? part.credential : NULL);
	free(part.credential);
	if (record)
		all->kept.bytes -= before.bytes - all->left.bytes;
	else
		node->refused = part.stamp;
	return record;
}

/* Replaces the record by a copy, which needs less memory, because it does not contain the part's text. */
static void shrink(struct node_records *all, struct from_node *node, size_t weight_before)
{
	struct record *copy = record_copy(node->record);

	if (!copy) {
		all->failed = true;
		return;
	}
	record_free(node->record);
	node->record = copy;
	all->left.weight = weight_before - smaller(record_bytes(copy), weight_before);
}

static bool take_record(struct node_records *all, size_t i)
{
	struct from_node *node = &all->nodes[i];
	size_t weight_before = all->left.weight;
	unsigned long failures = memory_failures();
	bool own = is_own(all, i);

	node->record = own ? record_share(all->source.record) : read_part(all, i);
	/* The part is not at fault if memory ran out. The writer tries again later. */
	if (memory_failures() != failures)
		all->failed = true;
	node->refused_now = !node->record && node->refused.inode;
	if (!node->record)
		return node->refused_now;
	node->read = true;
	if (node_records_trim(node->record, all->count) < 0)
		all->failed = true;
	if (all->source.shrink)
		kept_choose(node->record);
	if (all->source.shrink && !own)
		shrink(all, node, weight_before);
	all->kept.weight -= smaller(weight_before - all->left.weight, all->kept.weight);
	if (!all->source.slurm && node->record->slurm_job.known)
		all->source.slurm = &node->record->slurm_job;
	return true;
}

static bool is_another(const struct node_records *all, size_t i)
{
	return part_set_exist(all->source.dirfd, all->source.own, node_name(all, i), &all->nodes[i].refused);
}

int node_records_read(struct node_records *all)
{
	for (size_t i = 0; i < all->count && !all->failed; i++)
		if (!all->nodes[i].record && (!all->nodes[i].refused_now || is_another(all, i)))
			take_record(all, i);
	for (size_t i = 0; i < all->count; i++)
		all->nodes[i].refused_now = false;
	all->left = all->kept;
	all->waited_for = 0;
	return all->failed ? -1 : 0;
}

static bool has_come(struct node_records *all, size_t i)
{
	if (all->nodes[i].record)
		return true;
	return all->nodes[i].refused.inode ? is_another(all, i) : take_record(all, i);
}

/* Opens the directory again, because an NFS client caches failed look-ups. */
static void look_again(const struct node_records *all)
{
	int fd = openat(all->source.dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

bool node_records_wait(struct node_records *all, int64_t end_ms, long poll_ms)
{
	const struct timespec pause = { .tv_nsec = poll_ms * 1000000 };

	for (; all->waited_for < all->count; all->waited_for++)
		while (!has_come(all, all->waited_for)) {
			if (clock_ms() >= end_ms)
				return false;
			nanosleep(&pause, NULL);
			look_again(all);
		}
	return true;
}

void node_records_list(struct node_records *all, struct build_input *input)
{
	input->records = all->records;
	input->missing = all->missing;
	input->record_count = 0;
	input->missing_count = 0;
	input->slurm = all->source.slurm;
	for (size_t i = 0; i < all->count; i++) {
		if (all->nodes[i].record)
			all->records[input->record_count++] = all->nodes[i].record;
		else
			all->missing[input->missing_count++] =
				(struct build_missing){ node_name(all, i), all->nodes[i].reason.text };
	}
}

void node_records_spend(struct node_records *all)
{
	for (size_t i = 0; i < all->count; i++) {
		record_free(all->nodes[i].record);
		all->nodes[i].record = NULL;
	}
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

void node_records_remove_parts(const struct node_records *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (i == 0 || all->nodes[i].read)
			part_set_remove(all->source.dirfd, all->source.own, node_name(all, i), i == 0);
}
