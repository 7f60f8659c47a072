/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/collect.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/parts.h"
#include "reports/report.h"
#include "reports/slurm_job.h"
#include "reports/writer.h"

/* One attempt of a job, and the nodes that left something of it. */
struct heap {
	struct record_identity job; /* node: not set */
	struct json_object *nodes; /* their names */
};

struct heaps {
	int dirfd;
	struct heap *list;
	size_t count;
};

static void heaps_free(struct heaps *heaps)
{
	for (size_t i = 0; i < heaps->count; i++)
		json_object_put(heaps->list[i].nodes);
	free(heaps->list);
	if (heaps->dirfd >= 0)
		close(heaps->dirfd);
}

#define cleanup_heaps __attribute__((cleanup(heaps_free)))

static struct heap *find_heap(struct heaps *heaps, const struct record_identity *job)
{
	struct heap *list;

	for (size_t i = 0; i < heaps->count; i++)
		if (heaps->list[i].job.job_id == job->job_id && heaps->list[i].job.attempt == job->attempt)
			return &heaps->list[i];
	list = reallocarray(heaps->list, heaps->count + 1, sizeof(*list));
	if (!list)
		return NULL;
	heaps->list = list;
	list[heaps->count] = (struct heap){ .job = *job, .nodes = json_object_new_array() };
	list[heaps->count].job.node = NULL;
	return &list[heaps->count++];
}

/* Sorts the parts in @directory by job and attempt. */
static void read_heaps(struct heaps *heaps, const char *directory, int64_t job_id)
{
	cleanup_closedir DIR *entries = opendir(directory);
	struct dirent *entry;

	while (entries && (entry = readdir(entries))) {
		struct record_identity job;
		cleanup_free char *node = NULL;
		struct heap *heap;

		if (entry->d_name[0] != '.' || !parts_read_name(entry->d_name, &job, &node)) {
			node = NULL;
			continue;
		}
		heap = job_id && job.job_id != job_id ? NULL : find_heap(heaps, &job);
		if (heap)
			json_object_array_add(heap->nodes, json_object_new_string(node));
	}
	heaps->dirfd = entries ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static const char *name_at(struct json_object *names, size_t i)
{
	const char *name = json_object_get_string(json_object_array_get_idx(names, i));

	return name ? name : "";
}

/* The first of them that can be read. Returns its record; its identity goes into @job. */
static struct json_object *read_one(const struct heaps *heaps, const struct heap *heap, struct json_object *nodes,
				    struct record_identity *job)
{
	struct error err;

	*job = heap->job;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *record = parts_read(heaps->dirfd, &heap->job, name_at(nodes, i), &err);

		if (!record)
			continue;
		if (record_identify(record, "part", job, &err) == 0)
			return record;
		json_object_put(record);
	}
	return NULL;
}

/* All nodes of the job in Slurm's order, the leading one first; where nobody tells of them, those with a part. */
static struct json_object *all_nodes(struct json_object *record, const struct heap *heap)
{
	struct json_object *names = field_typed(record, "slurm_job.node_names", json_type_array), *expanded;
	const char *list = field_text(record, "node_list");
	struct error err;

	if (field_length(names) > 0 && list && strcmp(list, field_text(record, "slurm_job.node_list") ?: "") == 0)
		return json_object_get(names);
	expanded = list && *list ? slurm_job_expand(list, &err) : NULL;
	return expanded ? expanded : json_object_get(heap->nodes);
}

static const char *group_of(struct json_object *record)
{
	struct group *group;
	int64_t gid;

	if (!field_count(record, "user.gid", &gid))
		return NULL;
	group = getgrgid(gid);
	return group ? group->gr_name : NULL;
}

static struct json_object *merge(const struct heaps *heaps, const struct heap *heap, const char *name,
				 const struct conf *conf)
{
	struct record_identity any;
	cleanup_json struct json_object *first = read_one(heaps, heap, heap->nodes, &any), *nodes = NULL,
					*leading = NULL;
	struct writer_place place = { .dirfd = heaps->dirfd };
	struct writer_job job = { .conf = conf, .slurm_reason = "none of its nodes' parts has what Slurm said" };
	struct error err;

	if (!first)
		return NULL;
	nodes = all_nodes(first, heap);
	leading = read_one(heaps, heap, nodes, &job.identity);
	job.record = leading;
	job.nodes = nodes;
	job.group = group_of(first);
	snprintf(place.name, sizeof(place.name), "%s", name);
	return leading ? writer_build(&job, &place, &err) : NULL;
}

static size_t nodes_told(struct json_object *report)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	size_t told = 0;

	for (size_t i = 0; i < field_length(nodes); i++)
		told += field_typed(json_object_array_get_idx(nodes, i), "used", json_type_object) != NULL;
	return told;
}

/* @path: of a report; its directory ends it at the slash, and what is behind is its name. */
static const char *split(char *path, const char **directory)
{
	char *slash = strrchr(path, '/');

	*directory = slash ? (slash == path ? "/" : path) : ".";
	if (!slash)
		return path;
	*slash = '\0';
	return slash + 1;
}

void collect_better(struct row *row, const struct conf *conf)
{
	cleanup_heaps struct heaps heaps = { .dirfd = -1 };
	cleanup_free char *path = strdup(row->path);
	const char *directory, *name = path ? split(path, &directory) : NULL;
	cleanup_json struct json_object *report = NULL;
	struct error err;

	if (!name)
		return;
	read_heaps(&heaps, directory, row->id);
	for (size_t i = 0; i < heaps.count && heaps.dirfd >= 0; i++) {
		cleanup_json struct json_object *merged = NULL;
		struct row better;

		if (heaps.list[i].job.attempt != row->attempt)
			continue;
		merged = merge(&heaps, &heaps.list[i], name, conf);
		report = merged ? report_load(row->path, NULL, &err) : NULL;
		if (!report || nodes_told(merged) <= nodes_told(report))
			return;
		row_of(&better, merged, row->path);
		better.earlier = row->earlier;
		row_free(row);
		*row = better;
		return;
	}
}

static bool is_known(const struct rows *rows, const struct heap *heap)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].id == heap->job.job_id && rows->list[i].attempt == heap->job.attempt)
			return true;
	return false;
}

void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf)
{
	cleanup_heaps struct heaps heaps = { .dirfd = -1 };

	read_heaps(&heaps, directory, job_id);
	for (size_t i = 0; i < heaps.count && heaps.dirfd >= 0; i++) {
		cleanup_json struct json_object *report = NULL;
		cleanup_free char *path = NULL;
		char name[64];
		struct row row;

		if (is_known(rows, &heaps.list[i]))
			continue;
		snprintf(name, sizeof(name), "stint-%u.json", heaps.list[i].job.job_id);
		report = merge(&heaps, &heaps.list[i], name, conf);
		if (!report || asprintf(&path, "%s/%s", directory, name) < 0)
			continue;
		row_of(&row, report, path);
		if (!rows_add(rows, &row))
			row_free(&row);
	}
}
