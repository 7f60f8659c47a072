/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/writer/writer_cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/cgroup/memory_bound.h"

#define TEXT_MAX (256 * 1024)
#define PART 4 /* all writers get 1/PART of the memory */
#define MOVES 100 /* attempts, because new processes may start */
#define CONTROL "/.control"

struct unit {
	char dir[PATH_MAX];
	bool v1;
};

static char *read_text(const char *dir, const char *name)
{
	char path[PATH_MAX + 512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return file_read_kernel(path, TEXT_MAX);
}

static int make_below(const char *dir, const char *name, char made[PATH_MAX], struct error *err)
{
	if (snprintf(made, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
		return error_set(err, "%s: the path is too long", dir);
	if (mkdir(made, 0755) < 0 && errno != EEXIST)
		return error_errno(err, "%s", made);
	return 0;
}

static int find_unit(const struct cgroup_layout *layout, struct unit *unit, struct error *err)
{
	const struct cgroup_mount *mount = cgroup_find_mount(layout, "memory");
	char path[PATH_MAX];
	char *end;

	unit->v1 = mount;
	if (!mount)
		mount = cgroup_find_mount(layout, "");
	if (!mount || cgroup_of_process(layout, getpid(), unit->v1 ? "memory" : "", path) < 0)
		return error_set(err, "no cgroup with the memory controller is known");
	end = strrchr(path, '/');
	if (end && strcmp(end, CONTROL) == 0)
		*end = '\0';
	if (!path[0] || strcmp(path, "/") == 0)
		return error_set(err, "stintd runs in the root cgroup, which is not its own");
	if (snprintf(unit->dir, sizeof(unit->dir), "%s%s", mount->path, path) >= (int)sizeof(unit->dir))
		return error_set(err, "%s: the path is too long", path);
	return 0;
}

/* Moves all processes of UNIT to @leaf. An earlier stintd may have left writers there. Returns 0; -1 with @err set. */
static int move_processes(const struct unit *unit, const char *leaf, struct error *err)
{
	for (int i = 0; i < MOVES; i++) {
		cleanup_free char *pids = read_text(unit->dir, "cgroup.procs");
		char *save = NULL;

		if (!pids)
			return error_errno(err, "%s", unit->dir);
		if (!pids[0])
			return 0;
		for (char *pid = strtok_r(pids, "\n", &save); pid; pid = strtok_r(NULL, "\n", &save))
			if (cgroup_write(leaf, "cgroup.procs", pid) < 0 && errno != ESRCH)
				return error_errno(err, "%s: process %s", leaf, pid);
	}
	return error_set(err, "%s: new processes appear in it again and again", unit->dir);
}

static int divide(const struct unit *unit, const char *writers, struct error *err)
{
	char leaf[PATH_MAX];

	if (make_below(unit->dir, "collector", leaf, err) < 0 || move_processes(unit, leaf, err) < 0)
		return -1;
	if (cgroup_write(unit->dir, "cgroup.subtree_control", "+memory") < 0 ||
	    cgroup_write(writers, "cgroup.subtree_control", "+memory") < 0)
		return error_errno(err, "%s: the memory controller", unit->dir);
	return 0;
}

int writer_cgroups_make(const struct cgroup_layout *layout, char dir[PATH_MAX], struct error *err)
{
	struct unit unit;

	if (find_unit(layout, &unit, err) < 0 || make_below(unit.dir, "writers", dir, err) < 0 ||
	    (!unit.v1 && divide(&unit, dir, err) < 0))
		return -1;
	if (memory_bound_set(dir, memory_bound_part(PART)) < 0)
		return error_errno(err, "%s: the bound of its memory", dir);
	return 0;
}

int writer_cgroups_release(const struct cgroup_layout *layout, struct error *err)
{
	char writers[PATH_MAX + 16];
	struct unit unit;

	if (find_unit(layout, &unit, err) < 0)
		return -1;
	if (unit.v1)
		return 0;
	snprintf(writers, sizeof(writers), "%s/writers", unit.dir);
	cgroup_write(writers, "cgroup.subtree_control", "-memory"); /* fails if the cgroup does not exist */
	if (cgroup_write(unit.dir, "cgroup.subtree_control", "-memory") < 0)
		return error_errno(err, "%s: the memory controller", unit.dir);
	return 0;
}

/* Returns true if pages of in-memory file systems are charged to @dir. */
static bool has_pages(const char *dir)
{
	cleanup_free char *text = read_text(dir, "memory.stat");

	return text && cgroup_stat_value(text, "shmem") > 0;
}

void writer_cgroups_tidy(const char *dir)
{
	struct file_names names = { .fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	const char *name;

	while (names.fd >= 0 && (name = file_names_next(&names))) {
		char path[PATH_MAX + NAME_MAX + 2];

		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (name[0] >= '0' && name[0] <= '9' && !has_pages(path))
			rmdir(path); /* fails if the cgroup has processes */
	}
	if (names.fd >= 0)
		close(names.fd);
}
