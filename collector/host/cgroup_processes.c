/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/cgroup.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define PROCS_BYTES_MAX 4096
#define CGROUPS_MAX 64 /* of a new job */

struct list {
	pid_t *pids;
	int count, max;
	int cgroups; /* read so far */
};

static int add_processes(const char *directory, struct list *list)
{
	cleanup_free char *text = NULL;
	char path[PATH_MAX + 32], *save = NULL;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	text = file_read_kernel(path, PROCS_BYTES_MAX);
	if (!text)
		return -1;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (list->count == list->max)
			return -1;
		list->pids[list->count++] = atoi(line);
	}
	return 0;
}

static int add_tree(const char *directory, struct list *list)
{
	cleanup_closedir DIR *entries = NULL;
	struct dirent *entry;

	if (++list->cgroups > CGROUPS_MAX || add_processes(directory, list) < 0)
		return -1;
	entries = opendir(directory);
	if (!entries)
		return -1;
	while ((entry = readdir(entries))) {
		char below[PATH_MAX];

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(below, sizeof(below), "%s/%s", directory, entry->d_name) >= (int)sizeof(below) ||
		    add_tree(below, list) < 0)
			return -1;
	}
	return 0;
}

int cgroup_processes(const struct cgroup_layout *layout, const struct cgroup_job *job, pid_t *pids, int max)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, job->controller);
	struct list list = { .pids = pids, .max = max };
	char directory[PATH_MAX];

	if (!mount || snprintf(directory, sizeof(directory), "%s%s", mount->path, job->job_path) >= (int)sizeof(directory) ||
	    add_tree(directory, &list) < 0)
		return -1;
	return list.count;
}
