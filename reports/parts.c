/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/field.h"
#include "reports/user.h"

#define PREFIX ".stint-"
#define PART ".part"
#define LEAD ".lead"

static int make_name(const struct record_identity *job, const char *node, const char *suffix, char name[NAME_MAX + 1])
{
	int length = snprintf(name, NAME_MAX + 1, PREFIX "%u.%u.%s%s", job->job_id, job->attempt, node, suffix);

	return length > NAME_MAX || strchr(node, '/') ? -1 : 0;
}

int parts_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1])
{
	return make_name(job, node, PART, name);
}

bool parts_read_name(const char *name, struct record_identity *job, char **node)
{
	size_t length = strlen(name), end = strlen(PART);
	unsigned int id, attempt;
	char made[NAME_MAX + 1];
	int begin = 0;

	if (length <= end || (strcmp(name + length - end, PART) != 0 && strcmp(name + length - end, LEAD) != 0) ||
	    sscanf(name, PREFIX "%9u.%9u.%n", &id, &attempt, &begin) != 2 || !begin || begin + end >= length)
		return false;
	job->job_id = id;
	job->attempt = attempt;
	*node = strndup(name + begin, length - end - begin);
	job->node = *node;
	/* "+1" and "01" are numbers, too, and none of ours */
	if (*node && make_name(job, *node, name + length - end, made) == 0 && strcmp(made, name) == 0)
		return true;
	free(*node);
	return false;
}

static int write_as(int dirfd, const struct record_identity *job, const char *suffix, struct json_object *record,
		    struct json_object *slurm, struct error *err)
{
	cleanup_json struct json_object *part = json_object_new_object();
	char name[NAME_MAX + 1];
	const char *text;
	size_t len;

	if (make_name(job, job->node, suffix, name) < 0)
		return error_set(err, "node name '%.64s' does not make a file name", job->node);
	json_object_object_foreach(record, field, value)
		json_object_object_add(part, field, json_object_get(value));
	put_copy(part, "slurm_job", slurm);
	text = json_object_to_json_string_length(part, JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (!text)
		return error_set(err, "%s: out of memory", name);
	return file_write(dirfd, name, 0644, text, len, err);
}

int parts_write(int dirfd, const struct record_identity *job, struct json_object *record, struct json_object *slurm,
		struct error *err)
{
	return write_as(dirfd, job, PART, record, slurm, err);
}

int parts_keep_lead(int dirfd, const struct record_identity *job, struct json_object *record, struct json_object *slurm,
		    struct error *err)
{
	return write_as(dirfd, job, LEAD, record, slurm, err);
}

void parts_drop_lead(int dirfd, const struct record_identity *job)
{
	char name[NAME_MAX + 1];

	if (make_name(job, job->node, LEAD, name) == 0)
		unlinkat(dirfd, name, 0);
}

bool parts_exist(int dirfd, const struct record_identity *job, const char *node)
{
	char name[NAME_MAX + 1];
	struct stat st;

	return parts_name(job, node, name) == 0 && fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

struct json_object *parts_read(int dirfd, const struct record_identity *job, const char *node, struct error *err)
{
	struct record_identity identity;
	struct json_object *record;
	cleanup_free char *data = NULL;
	char name[NAME_MAX + 1];
	size_t len;

	if (parts_name(job, node, name) < 0) {
		error_set(err, "its name does not make a file name");
		return NULL;
	}
	data = user_read_file(dirfd, name, PART_BYTES_MAX, &len, err);
	if (!data && errno == ENOENT && make_name(job, node, LEAD, name) == 0)
		data = user_read_file(dirfd, name, PART_BYTES_MAX, &len, err);
	if (!data) {
		if (errno == ENOENT)
			error_set(err, "its record has not arrived");
		return NULL;
	}
	record = record_parse(data, len, name, &identity, err);
	if (!record)
		return NULL;
	if (identity.job_id == job->job_id && identity.attempt == job->attempt && strcmp(identity.node, node) == 0)
		return record;
	error_set(err, "%s: the record of another job or node", name);
	json_object_put(record);
	return NULL;
}

void parts_remove(int dirfd, const struct record_identity *job, const char *node)
{
	char name[NAME_MAX + 1];

	if (make_name(job, node, PART, name) == 0)
		unlinkat(dirfd, name, 0);
	if (make_name(job, node, LEAD, name) == 0)
		unlinkat(dirfd, name, 0);
}
