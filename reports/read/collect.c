/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/collect.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/deliver/writer.h"
#include "reports/files/part_set.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "reports/slurm/slurm_job.h"

#define NAMES_AT_ONCE 256 /* room for so many more */

/* A part's name, read. */
struct part_name {
	struct record_identity job; /* node: not set */
	char *node;
};

/* One attempt of a job, and the nodes that left a part of it. */
struct part_set {
	struct record_identity job; /* node: not set */
	struct json_object *nodes; /* names */
};

struct part_sets {
	int dirfd;
	struct part_set *list;
	size_t count;
};

static void part_sets_free(struct part_sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		json_object_put(sets->list[i].nodes);
	free(sets->list);
	if (sets->dirfd >= 0)
		close(sets->dirfd);
}

#define cleanup_part_sets __attribute__((cleanup(part_sets_free)))

static int compare_jobs(const struct record_identity *a, const struct record_identity *b)
{
	if (a->job_id != b->job_id)
		return a->job_id < b->job_id ? -1 : 1;
	return (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

static int compare_names(const void *left, const void *right)
{
	const struct part_name *a = left, *b = right;
	int jobs = compare_jobs(&a->job, &b->job);

	return jobs ? jobs : strcmp(a->node, b->node);
}

/* Adds the part called @name to @names, if it is one and of the job @job_id; 0: of any. */
static void take_name(const char *name, int64_t job_id, struct part_name **names, size_t *count)
{
	struct part_name part = { 0 }, *more;

	if (name[0] != '.' || !part_set_read_name(name, &part.job, &part.node))
		return;
	if (job_id && part.job.job_id != job_id)
		more = NULL;
	else
		more = *count % NAMES_AT_ONCE ? *names : reallocarray(*names, *count + NAMES_AT_ONCE, sizeof(*more));
	if (!more) {
		free(part.node);
		return;
	}
	part.job.node = NULL;
	*names = more;
	more[(*count)++] = part;
}

/* Makes sets of @names, which are sorted by job and attempt. Takes what they point to. */
static void group_names(struct part_sets *sets, struct part_name *names, size_t count)
{
	sets->list = calloc(count + 1, sizeof(*sets->list));
	for (size_t i = 0; i < count; i++) {
		if (sets->list && (i == 0 || compare_jobs(&names[i - 1].job, &names[i].job) != 0))
			sets->list[sets->count++] = (struct part_set){ names[i].job, json_object_new_array() };
		if (sets->list)
			json_object_array_add(sets->list[sets->count - 1].nodes, json_object_new_string(names[i].node));
		free(names[i].node);
	}
}

/* Groups the parts in @directory by job and attempt. Whoever may write there can leave as many as he likes. */
static void read_part_sets(struct part_sets *sets, const char *directory, int64_t job_id)
{
	cleanup_closedir DIR *entries = opendir(directory);
	cleanup_free struct part_name *names = NULL;
	struct dirent *entry;
	size_t count = 0;

	while (entries && (entry = readdir(entries)))
		take_name(entry->d_name, job_id, &names, &count);
	if (count > 0)
		qsort(names, count, sizeof(*names), compare_names);
	group_names(sets, names, count);
	sets->dirfd = entries ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static const char *name_at(struct json_object *names, size_t i)
{
	const char *name = json_object_get_string(json_object_array_get_idx(names, i));

	return name ? name : "";
}

/* Reads the first part of @nodes that can be read. Returns its record; its identity goes into @job. */
static struct json_object *read_one(const struct part_sets *sets, const struct part_set *set, struct json_object *nodes,
				    const struct proof_wanted *wanted, struct record_identity *job)
{
	struct part_bounds bounds = part_form_begin(field_length(nodes));
	struct error err;

	*job = set->job;
	for (size_t i = 0; i < field_length(nodes); i++) {
		struct part_set_found part;
		struct json_object *record = part_set_read(sets->dirfd, &set->job, name_at(nodes, i), true, wanted,
							   &bounds, &part, &err);

		free(part.credential);
		if (!record)
			continue;
		if (record_identify(record, "part", job, &err) == 0)
			return record;
		json_object_put(record);
	}
	return NULL;
}

/*
 * Returns all nodes of the job in Slurm's order, the leading one first. Where no record names them: those with a part.
 */
static struct json_object *all_nodes(struct json_object *record, const struct part_set *set)
{
	struct json_object *names = field_typed(record, "slurm_job.node_names", json_type_array), *expanded;
	const char *list = field_text(record, "node_list");
	struct error err;

	if (field_length(names) > 0 && list && strcmp(list, field_text(record, "slurm_job.node_list") ?: "") == 0)
		return json_object_get(names);
	expanded = list && *list ? slurm_job_expand(NULL, list, &err) : NULL;
	return expanded ? expanded : json_object_get(set->nodes);
}

/*
 * Asks Slurm about the job where no part has its answer: only the leading node asks, and it may have died. The answer
 * counts only when user and nodes agree with @record, since job ids are reused.
 */
static struct json_object *ask_slurm(struct json_object *record, const struct record_identity *job)
{
	const char *list = field_text(record, "node_list"), *nodes;
	int64_t own = -1, uid = -2;
	struct json_object *slurm;
	struct error err;
	char id[16];

	snprintf(id, sizeof(id), "%u", job->job_id);
	slurm = slurm_job(NULL, id, &err);
	nodes = field_text(slurm, "node_list");
	field_count(record, "user.uid", &own);
	field_count(slurm, "user_id", &uid);
	if (own == uid && list && nodes && strcmp(list, nodes) == 0)
		return slurm;
	json_object_put(slurm);
	return NULL;
}

static struct json_object *merge(const struct part_sets *sets, const struct part_set *set, const char *name,
				 const struct conf *conf)
{
	struct record_identity any;
	struct error reason = { "" };
	struct proof_wanted wanted = {
		.notary = munge_notary(conf->munge_socket, &reason),
		.reason = reason.text,
		.uid = -1,
	};
	cleanup_json struct json_object *first = read_one(sets, set, set->nodes, &wanted, &any), *nodes = NULL,
					*leading = NULL, *asked = NULL;
	struct writer_place place = { .dirfd = sets->dirfd };
	struct writer_job job = { .conf = conf, .slurm_reason = "none of its nodes' parts has what Slurm said" };
	struct error err;

	if (!first)
		return NULL;
	nodes = all_nodes(first, set);
	leading = read_one(sets, set, nodes, &wanted, &job.identity);
	job.record = leading;
	job.notary = wanted.notary;
	job.notary_reason = reason.text;
	job.nodes = nodes;
	job.group = record_group(first);
	if (!field_find(first, "slurm_job") && !field_find(leading, "slurm_job"))
		job.slurm = asked = ask_slurm(first, &any);
	snprintf(place.name, sizeof(place.name), "%s", name);
	return leading ? writer_build(&job, &place, &err) : NULL;
}

static size_t nodes_counted(struct json_object *report)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	size_t counted = 0;

	for (size_t i = 0; i < field_length(nodes); i++)
		counted += field_typed(json_object_array_get_idx(nodes, i), "used", json_type_object) != NULL;
	return counted;
}

/* Splits the path of a report: returns its name, and ends @path at the slash, so that *@directory is its directory. */
static const char *split(char *path, const char **directory)
{
	char *slash = strrchr(path, '/');

	*directory = slash ? (slash == path ? "/" : path) : ".";
	if (!slash)
		return path;
	*slash = '\0';
	return slash + 1;
}

void collect_better(struct summary *row, const struct conf *conf)
{
	cleanup_part_sets struct part_sets sets = { .dirfd = -1 };
	cleanup_free char *path = strdup(row->path);
	const char *directory, *name = path ? split(path, &directory) : NULL;
	cleanup_json struct json_object *report = NULL;
	struct error err;

	if (!name)
		return;
	read_part_sets(&sets, directory, row->id);
	for (size_t i = 0; i < sets.count && sets.dirfd >= 0; i++) {
		cleanup_json struct json_object *merged = NULL;
		struct summary better;

		if (sets.list[i].job.attempt != row->attempt)
			continue;
		merged = merge(&sets, &sets.list[i], name, conf);
		report = merged ? report_load(row->path, NULL, &err) : NULL;
		if (!report || nodes_counted(merged) <= nodes_counted(report))
			return;
		summary_of(&better, merged, row->path);
		better.earlier = row->earlier;
		summary_free(row);
		*row = better;
		return;
	}
}

static bool is_known(const struct rows *rows, const struct part_set *set)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].id == set->job.job_id && rows->list[i].attempt == set->job.attempt)
			return true;
	return false;
}

void collect_alone(struct rows *rows, const char *directory, int64_t job_id, const struct conf *conf)
{
	cleanup_part_sets struct part_sets sets = { .dirfd = -1 };

	read_part_sets(&sets, directory, job_id);
	for (size_t i = 0; i < sets.count && sets.dirfd >= 0; i++) {
		cleanup_json struct json_object *report = NULL;
		cleanup_free char *path = NULL;
		char name[64];
		struct summary row;

		if (is_known(rows, &sets.list[i]))
			continue;
		snprintf(name, sizeof(name), "stint-%u.json", sets.list[i].job.job_id);
		report = merge(&sets, &sets.list[i], name, conf);
		if (!report || asprintf(&path, "%s/%s", directory, name) < 0)
			continue;
		summary_of(&row, report, path);
		if (!rows_add(rows, &row))
			summary_free(&row);
	}
}
