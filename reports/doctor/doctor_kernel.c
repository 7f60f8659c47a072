/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/security/forbidden.h"
#include "reports/doctor/doctor.h"

#define BTF "/sys/kernel/btf/vmlinux"
#define BPFFS "/sys/fs/bpf"

static void check_btf(struct doctor *doctor)
{
	struct utsname kernel;

	if (uname(&kernel) < 0)
		strcpy(kernel.release, "?");
	if (access(BTF, R_OK) == 0)
		doctor_say(doctor, DOCTOR_OK, "kernel", NULL, "%s, with BTF", kernel.release);
	else
		doctor_say(doctor, DOCTOR_FAIL, "kernel", "run a kernel built with CONFIG_DEBUG_INFO_BTF=y",
			   "%s has no " BTF, kernel.release);
}

static void check_lockdown(struct doctor *doctor)
{
	if (forbidden_by_lockdown())
		doctor_say(doctor, DOCTOR_FAIL, "lockdown", "boot with lockdown=integrity, or with none", FORBIDDEN_BY_LOCKDOWN);
}

/* stintd makes bpf_dir, but not the bpffs above it. */
static void check_bpffs(struct doctor *doctor)
{
	char path[PATH_MAX], mend[PATH_MAX + 64];
	struct statfs fs;

	strcpy(path, doctor->conf->bpf_dir);
	while (statfs(path, &fs) < 0) {
		if (errno != ENOENT || strcmp(path, "/") == 0) {
			doctor_say(doctor, DOCTOR_WARN, "bpffs", errno == EACCES || errno == EPERM ? "run 'stint doctor' as root" :
				   "set bpf_dir below " BPFFS " in stint.conf, and restart stintd", "%s: %s", path, strerror(errno));
			return;
		}
		memmove(path, dirname(path), strlen(dirname(path)) + 1);
	}
	if (fs.f_type == BPF_FS_MAGIC) {
		doctor_say(doctor, DOCTOR_OK, "bpffs", NULL, "bpf_dir %s is on one", doctor->conf->bpf_dir);
		return;
	}
	strcpy(path, doctor->conf->bpf_dir);
	/* Do not advise a mount in any other place, for example /tmp, because it may hide files. */
	if (strcmp(dirname(path), BPFFS) == 0)
		snprintf(mend, sizeof(mend), "mount -t bpf bpf " BPFFS);
	else
		snprintf(mend, sizeof(mend), "set bpf_dir below " BPFFS " in stint.conf, and restart stintd");
	doctor_say(doctor, DOCTOR_WARN, "bpffs", mend,
		   "none is mounted where bpf_dir %s is: a restart of stintd loses what it counted",
		   doctor->conf->bpf_dir);
}

static uint64_t effective_capabilities(void)
{
	cleanup_free char *status = file_read(AT_FDCWD, "/proc/self/status", 65536, NULL, NULL);
	const char *line = status ? strstr(status, "\nCapEff:") : NULL;

	return line ? strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
}

static void check_rights(struct doctor *doctor)
{
	static const struct {
		const char *name;
		int bit;
	} needed[] = {
		{ "CAP_BPF", CAP_BPF },
		{ "CAP_PERFMON", CAP_PERFMON },
		{ "CAP_SETUID", CAP_SETUID },
		{ "CAP_SETGID", CAP_SETGID },
	};
	uint64_t have = effective_capabilities();
	char lacking[128] = "";

	if (geteuid() != 0) {
		doctor_say(doctor, DOCTOR_WARN, "rights", "run 'stint doctor' as root",
			   "not root: what only root may see is not checked");
		return;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!(have >> needed[i].bit & 1))
			snprintf(lacking + strlen(lacking), sizeof(lacking) - strlen(lacking), " %s", needed[i].name);
	if (lacking[0])
		doctor_say(doctor, DOCTOR_FAIL, "rights", "give root these capabilities (in a container: --privileged)",
			   "root lacks%s", lacking);
	else
		doctor_say(doctor, DOCTOR_OK, "rights", NULL, "to load kernel programs and to become a job's user");
}

static bool offers_memory(const char *directory)
{
	char path[PATH_MAX];
	cleanup_free char *controllers = NULL;

	if (snprintf(path, sizeof(path), "%s/cgroup.controllers", directory) >= (int)sizeof(path))
		return false;
	controllers = file_read(AT_FDCWD, path, 4096, NULL, NULL);
	return controllers && strstr(controllers, "memory");
}

static void check_cgroups(struct doctor *doctor)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	bool v1 = false, v2 = false, memory = false;
	const struct mntent *mount;

	while (mounts && (mount = getmntent(mounts))) {
		if (strcmp(mount->mnt_type, "cgroup2") == 0) {
			v2 = true;
			memory = memory || offers_memory(mount->mnt_dir);
		} else if (strcmp(mount->mnt_type, "cgroup") == 0) {
			v1 = v1 || hasmntopt(mount, "memory") || hasmntopt(mount, "freezer") || hasmntopt(mount, "cpuset");
			memory = memory || hasmntopt(mount, "memory");
		}
	}
	if (mounts)
		endmntent(mounts);
	if (!v1 && !v2)
		doctor_say(doctor, DOCTOR_FAIL, "cgroups", "mount -t cgroup2 cgroup2 /sys/fs/cgroup", "none is mounted");
	else if (!memory)
		doctor_say(doctor, DOCTOR_WARN, "cgroups",
			   "boot without cgroup_disable=memory, and mount the memory controller",
			   "%s, without the memory controller: no charged memory peaks",
			   v1 && v2 ? "v1 and v2" : v1 ? "v1" : "v2");
	else
		doctor_say(doctor, DOCTOR_OK, "cgroups", NULL, "%s, with the memory controller",
			   v1 && v2 ? "v1 controllers beside a v2 tree" : v1 ? "v1" : "v2");
}

void doctor_kernel(struct doctor *doctor)
{
	check_btf(doctor);
	check_lockdown(doctor);
	check_rights(doctor);
	check_bpffs(doctor);
	check_cgroups(doctor);
}
