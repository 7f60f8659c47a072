/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/doctor/doctor.h"

#define USERS_FROM 1000 /* lower uids are system users */

static const struct role {
	enum doctor_role role;
	const char *name, *daemon;
} roles[] = {
	{ DOCTOR_NODE, "node", "slurmd" },
	{ DOCTOR_SUBMIT, "submit", NULL },
	{ DOCTOR_CONTROLLER, "controller", "slurmctld" },
	{ DOCTOR_DATABASE, "database", "slurmdbd" },
	{ DOCTOR_STORE, "store", NULL },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

const char *doctor_role_name(enum doctor_role role)
{
	for (size_t i = 0; i < ROLES; i++)
		if (roles[i].role == role)
			return roles[i].name;
	return "?";
}

unsigned int doctor_role_parse(const char *names)
{
	unsigned int found = 0;

	for (const char *at = names;; at++) {
		size_t length = strcspn(at, ","), i = 0;

		while (i < ROLES && (strlen(roles[i].name) != length || strncmp(roles[i].name, at, length) != 0))
			i++;
		if (i == ROLES)
			return 0;
		found |= roles[i].role;
		at += length;
		if (!*at)
			return found;
	}
}

/* A process with another root directory is in a container, so it is no daemon of this host. */
static bool is_elsewhere(const char *pid)
{
	char path[300];
	struct stat its, own;

	snprintf(path, sizeof(path), "/proc/%s/root/", pid);
	return stat(path, &its) == 0 && stat("/", &own) == 0 && (its.st_dev != own.st_dev || its.st_ino != own.st_ino);
}

/*
 * Users can choose the name of a process, so check the real uid: a setuid program started by a user has the user's real
 * uid.
 */
static bool is_systems(const char *pid)
{
	cleanup_free char *status = NULL;
	unsigned int real, effective;
	const char *line;
	char path[300];

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	status = file_read_kernel(path, 65536);
	line = status ? strstr(status, "\nUid:") : NULL;
	return line && sscanf(line, "\nUid: %u %u", &real, &effective) == 2 && real < USERS_FROM && effective < USERS_FROM;
}

/*
 * Calls @take for each Slurm daemon of this host: its name begins with "slurm", and it runs as root or a system user.
 */
static void each_process(void (*take)(const char *pid, const char *name, void *data), void *data)
{
	cleanup_closedir DIR *proc = opendir("/proc");
	const struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		char path[300];
		cleanup_free char *name = NULL;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		name = file_read_kernel(path, 64);
		if (!name)
			continue;
		name[strcspn(name, "\n")] = '\0';
		if (strncmp(name, "slurm", strlen("slurm")) == 0 && is_systems(entry->d_name) && !is_elsewhere(entry->d_name))
			take(entry->d_name, name, data);
	}
}

static void note_daemon(const char *pid, const char *name, void *data)
{
	unsigned int *found = data;

	(void)pid;
	for (size_t i = 0; i < ROLES; i++)
		if (roles[i].daemon && strcmp(name, roles[i].daemon) == 0)
			*found |= roles[i].role;
}

struct slurmd {
	char *path;
	bool several; /* slurmds run from different files */
};

static void note_slurmd(const char *pid, const char *name, void *data)
{
	struct slurmd *slurmd = data;
	char link[300], path[PATH_MAX];
	ssize_t length;

	if (strcmp(name, "slurmd") != 0)
		return;
	snprintf(link, sizeof(link), "/proc/%s/exe", pid);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	slurmd->several = slurmd->several || (slurmd->path[0] && strcmp(slurmd->path, path) != 0);
	strcpy(slurmd->path, path);
}

bool doctor_role_slurmd(char path[PATH_MAX])
{
	struct slurmd slurmd = { .path = path };

	memset(path, 0, PATH_MAX);
	each_process(note_slurmd, &slurmd);
	if (slurmd.several)
		path[0] = '\0';
	return path[0];
}

static bool is_installed(const char *program)
{
	static const char also[] = "/usr/sbin:/usr/local/sbin:/sbin";
	const char *path = getenv("PATH");
	char directories[8192], file[8192 + 64];
	char *save, *directory;

	snprintf(directories, sizeof(directories), "%s:%s", path ? path : "", also);
	for (directory = strtok_r(directories, ":", &save); directory; directory = strtok_r(NULL, ":", &save)) {
		snprintf(file, sizeof(file), "%s/%s", directory, program);
		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}

/*
 * Returns why this host seems to have the store; NULL if nothing shows that it has. A site.conf is no proof: hosts that
 * only read the store also have a site.conf.
 */
static const char *store_here(void)
{
	static const char timer[] = "/etc/systemd/system/timers.target.wants/stint-ingest.timer";
	static const char database[] = LOCALSTATEDIR "/lib/stint/store.sqlite";
	struct stat st;

	if (lstat(timer, &st) == 0)
		return "stint-ingest.timer is enabled";
	return access(database, F_OK) == 0 ? database : NULL;
}

unsigned int doctor_role_guess(char *why, size_t size)
{
	const char *store = store_here();
	unsigned int found = 0;
	size_t used = 0;

	each_process(note_daemon, &found);
	why[0] = '\0';
	for (size_t i = 0; i < ROLES && used < size; i++)
		if (found & roles[i].role)
			used += snprintf(why + used, size - used, "%s%s", used ? ", " : "", roles[i].daemon);
	if (found && used < size)
		snprintf(why + used, size - used, " run%s here", strchr(why, ',') ? "" : "s");
	for (size_t i = 0; !found && i < ROLES; i++)
		if (roles[i].daemon && is_installed(roles[i].daemon)) {
			found = roles[i].role;
			snprintf(why, size, "%s is installed but does not run", roles[i].daemon);
		}
	if (!found)
		snprintf(why, size, "no Slurm daemon is installed here");
	if (!found)
		found = DOCTOR_SUBMIT;
	used = strlen(why);
	if (store && used < size)
		snprintf(why + used, size - used, "; %s", store);
	return store ? found | DOCTOR_STORE : found;
}
