/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/known_programs.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const names[], size_t count)
{
	for (size_t i = 0; name && i < count; i++)
		if (*name == *names[i] && strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool programs_is_launcher(const char *name)
{
	static const char *const names[] = {
		"srun",  "mpirun", "mpiexec",         "mpiexec.hydra",      "orterun",  "orted", "prterun",
		"prted", "prun",   "hydra_pmi_proxy", "hydra_bstrap_proxy", "pmi_proxy"
	};

	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

bool programs_is_engine(const char *name)
{
	static const char *const names[] = { "gmake", "make", "nextflow", "ninja", "parallel", "snakemake", "xargs" };

	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

/* xargs: 123 means that commands failed. parallel: the number of failures, or 101 for more than 100. */
bool programs_counts_failures(const char *name, int64_t code)
{
	return name && ((strcmp(name, "xargs") == 0 && code == 123) || (strcmp(name, "parallel") == 0 && code >= 1 && code <= 101));
}

bool programs_passes_on(const char *name)
{
	static const char *const names[] = {
		"apptainer", "ch-run", "chroot", "chrt",    "doas",   "enroot",      "env",    "ionice", "nice",    "nohup",
		"perf",      "podman", "setarch", "setsid", "singularity", "stdbuf", "strace", "sudo",   "taskset", "time",
		"unshare",   "valgrind",
	};

	return programs_is_engine(name) || programs_is_launcher(name) ||
	       is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

/*
 * Programs that take a share of the cgroup's limit:
 *  - Java: a quarter (HotSpot's UseContainerSupport, MaxRAMPercentage)
 *  - node: at most a quarter
 *  - .NET: three quarters (GCHeapHardLimitPercent)
 *  - DuckDB: 80 %
 *  - MongoDB: half (WiredTiger's cache)
 *  - Julia: 60 % or more
 * GNU sort takes a share of the node's memory.
 *
 * R is missing: it grows as needed, and R_MAX_VSIZE is only a limit.
 * Databases with buffers of a configured size are missing, too.
 */
const char *programs_memory_option(const char *name, double *part)
{
	static const struct {
		const char *name, *option;
		double part;
	} options[] = {
		{ "java", "-Xmx", 0.25 },
		{ "node", "--max-old-space-size", 0.25 },
		{ "nodejs", "--max-old-space-size", 0.25 },
		{ "sort", "--buffer-size", 0.75 },
		{ "dotnet", "DOTNET_GCHeapHardLimit", 0.75 },
		{ "julia", "--heap-size-hint", 0.6 },
		{ "duckdb", "memory_limit", 0.8 },
		{ "mongod", "--wiredTigerCacheSizeGB", 0.5 },
	};

	for (size_t i = 0; name && i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(options[i].name, name) == 0) {
			*part = options[i].part;
			return options[i].option;
		}
	return NULL;
}

/*
 * sort takes 15/16 of RLIMIT_RSS, which Slurm sets to the job's memory.
 * sort takes at most three quarters of the node's memory (coreutils, src/sort.c).
 */
bool programs_fills_memory(const char *name)
{
	return name && strcmp(name, "sort") == 0;
}

bool programs_has_own_threads(const char *name)
{
	static const char *const names[] = { "beam.smp", "dotnet", "go", "java", "javac", "javadoc", "node", "nodejs" };

	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

/* A version may follow the name. CPython without a global lock has another name: python3.13t. */
bool programs_runs_threads_in_turns(const char *name)
{
	static const char *const names[] = { "pypy", "python", "ruby" };

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(name, names[i], length) == 0 && name[length + strspn(name + length, "0123456789.-")] == '\0')
			return true;
	}
	return false;
}

enum programs_served programs_serves(const char *name)
{
	static const char *const images[] = {
		"archivemount", "bindfs",      "cryfs",     "dwarfs",   "encfs",          "erofsfuse",  "ext4fuse",      "fuse-archive",
		"fuse-ext2",    "fuse-overlayfs", "fuse-zip", "fuse2fs", "fuseiso",       "gocryptfs",  "mergerfs",      "ntfs-3g",
		"ratarmount",   "squashfuse",  "squashfuse_ll", "unionfs", "unionfs-fuse",
	};
	static const char *const remotes[] = { "cvmfs2", "gcsfuse", "glusterfs", "goofys", "mount-s3", "s3fs", "sshfs" };

	if (is_one_of(name, images, sizeof(images) / sizeof(images[0])))
		return SERVES_IMAGE;
	return is_one_of(name, remotes, sizeof(remotes) / sizeof(remotes[0])) ? SERVES_REMOTE : SERVES_NOTHING;
}

bool programs_is_asked(const char *name)
{
	static const char *const names[] = {
		"[",       "ash",       "bash",     "basename",  "cat",     "chgrp",    "chmod",     "chown",      "clear",
		"cmp",     "command",   "conftest", "csh",       "dash",    "date",     "dbus-launch", "df",       "diff",
		"dig",     "dircolors", "dirname",  "dmesg",     "dpkg",    "du",       "egrep",     "expr",       "false",
		"fgrep",   "file",      "find",     "fuser",     "getent",  "getfacl",  "getopt",    "git",        "gpgconf",
		"grep",    "groups",    "hg",       "host",      "hostname", "id",      "ip",        "jobs",       "kill",
		"killall", "klist",     "ksh",      "lfs",       "ln",      "locale",   "logger",    "ls",         "lsb_release",
		"lsmod",   "lsof",      "lspci",    "lscpu",     "mesg",    "mkdir",    "modinfo",   "modprobe",   "modulecmd",
		"mount",   "mountpoint", "nc",      "nproc",     "nslookup", "numactl", "nvidia-smi", "pgrep",     "pidof",
		"ping",    "pkg-config", "pkill",   "printenv",  "ps",      "quota",    "readlink",  "realpath",   "reset",
		"rg",      "rm",        "rmdir",    "rocm-smi",  "rpm",     "sacct",    "scancel",   "scontrol",   "setfacl",
		"sh",      "sinfo",     "sleep",    "squeue",    "sstat",   "ss",       "stat",      "stty",       "svn",
		"sync",    "sysctl",    "systemctl", "tcsh",     "test",    "timeout",  "touch",     "tput",       "true",
		"tty",     "type",      "ulimit",   "umount",    "uname",   "wait",     "whereis",   "which",      "who",
		"whoami",  "xauth",     "xset",     "yes",       "zgrep",   "zsh",
	};

	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

bool programs_may_stop_reading(const char *name)
{
	static const char *const names[] = {
		"awk", "dd", "egrep", "fgrep", "gawk", "grep", "head", "less", "mawk", "more", "nawk", "original-awk", "perl", "rg", "sed",
	};

	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

bool programs_ends_itself(const char *name, double signal)
{
	return name && strcmp(name, "timeout") == 0 && signal == SIGKILL;
}

const char *programs_answer(const char *name, double code)
{
	static const struct {
		const char *name;
		double code;
		const char *answer;
	} answers[] = {
		{ "grep", 1, "nothing was found" },   { "egrep", 1, "nothing was found" },
		{ "fgrep", 1, "nothing was found" },  { "zgrep", 1, "nothing was found" },
		{ "rg", 1, "nothing was found" },     { "pgrep", 1, "no such process was found" },
		{ "which", 1, "it was not found" },   { "diff", 1, "the files differ" },
		{ "cmp", 1, "the files differ" },     { "test", 1, "the condition is false" },
		{ "[", 1, "the condition is false" },	      { "expr", 1, "the result is 0 or empty" },
		{ "timeout", 124, "the time was up" },
	};

	for (size_t i = 0; name && i < sizeof(answers) / sizeof(answers[0]); i++)
		if (strcmp(answers[i].name, name) == 0 && answers[i].code == code)
			return answers[i].answer;
	return NULL;
}
