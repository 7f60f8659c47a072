/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/field.h"
#include "reports/user.h"

int parts_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1])
{
	int length = snprintf(name, NAME_MAX + 1, ".stint-%u.%u.%s.part", job->job_id, job->attempt, node);

	return length > NAME_MAX || strchr(node, '/') ? -1 : 0;
}

int parts_write(int dirfd, const struct record_identity *job, struct json_object *record, struct json_object *slurm,
		struct error *err)
{
	cleanup_json struct json_object *part = json_object_new_object();
	char name[NAME_MAX + 1];
	const char *text;
	size_t len;

	if (parts_name(job, job->node, name) < 0)
		return error_set(err, "node name '%.64s' does not make a file name", job->node);
	json_object_object_foreach(record, field, value)
		json_object_object_add(part, field, json_object_get(value));
	put_copy(part, "slurm_job", slurm);
	text = json_object_to_json_string_length(part, JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (!text)
		return error_set(err, "%s: out of memory", name);
	return file_write(dirfd, name, 0644, text, len, err);
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

	if (parts_name(job, node, name) == 0)
		unlinkat(dirfd, name, 0);
}
