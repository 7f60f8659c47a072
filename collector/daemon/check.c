/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/daemon/check.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/control.h"
#include "common/log_line.h"

#define BPFFS "/sys/fs/bpf"

static const char *const mode_words[] = {
	[CONF_MODE_OFF] = "are not counted",
	[CONF_MODE_SUMMARY] = "are counted, without a timeline",
	[CONF_MODE_TIMELINE] = "are counted, with a timeline",
};

static const char *const program_names[PROGRAMS] = {
#define PROGRAM_ROW(name, needed) #name,
	PROGRAM_NAMES(PROGRAM_ROW)
#undef PROGRAM_ROW
};

static void say(const char *key, const char *words)
{
	printf("%-14s %s\n", key, words);
}

/* Returns true if the directory above @path exists. stintd makes only the last directory of a path. */
static bool could_make(const char *path)
{
	char parent[PATH_MAX];
	char *slash;
	struct stat stat;

	snprintf(parent, sizeof(parent), "%s", path);
	slash = strrchr(parent, '/');
	if (!slash)
		return false;
	slash[slash == parent] = '\0';
	return lstat(parent, &stat) == 0 && S_ISDIR(stat.st_mode);
}

struct fault {
	const char *why;  /* NULL: stintd can use the directory */
	const char *mend; /* command that mends this, printed before the path; may be NULL */
	bool of_parent;   /* the command is for the directory above */
	bool missing;
};

/* Applies the same rules as file_open_own_directory(). */
static struct fault fault_of(const char *path)
{
	struct stat stat;

	if (lstat(path, &stat) < 0 && errno == ENOENT)
		return could_make(path) ? (struct fault){ .missing = true }
					: (struct fault){ .why = "the directory above it is missing", .mend = "mkdir -p", .of_parent = true, .missing = true };
	if (lstat(path, &stat) < 0)
		return (struct fault){ .why = strerror(errno) };
	if (!S_ISDIR(stat.st_mode))
		return (struct fault){ .why = "it is not a directory", .mend = "rm" };
	if (stat.st_uid != 0)
		return (struct fault){ .why = "it does not belong to root", .mend = "chown root" };
	if (stat.st_mode & (S_IWGRP | S_IWOTH))
		return (struct fault){ .why = "users other than root may write there", .mend = "chmod go-w" };
	return (struct fault){ 0 };
}

static bool check_directory(const char *key, const char *path, const char *use)
{
	const struct fault fault = fault_of(path);
	const char *end = strrchr(path, '/');
	int length = (int)(fault.of_parent && end && end > path ? (size_t)(end - path) : strlen(path));

	if (fault.why && fault.mend)
		printf("%-14s %s: %s (%s %.*s)\n", key, path, fault.why, fault.mend, length, path);
	else if (fault.why)
		printf("%-14s %s: %s\n", key, path, fault.why);
	else
		printf("%-14s %s: %s%s\n", key, path, use, fault.missing ? " (it will be made)" : "");
	return !fault.why;
}

static void check_pins(const char *path)
{
	char parent[PATH_MAX];
	struct statfs fs;
	int found;

	snprintf(parent, sizeof(parent), "%s", path);
	while ((found = statfs(parent, &fs)) < 0 && strrchr(parent, '/') > parent)
		*strrchr(parent, '/') = '\0';
	printf("%-14s %s: %s\n", "bpf_dir", path,
	       found == 0 && fs.f_type == BPF_FS_MAGIC
		       ? "a restart of stintd loses nothing"
	       : strncmp(path, BPFFS "/", strlen(BPFFS "/")) == 0
		       ? "not on a bpffs: a restart of stintd during a job loses what it had counted (mount -t bpf bpf " BPFFS ")"
		       : "not on a bpffs: a restart of stintd during a job loses what it had counted (set bpf_dir below " BPFFS " in stint.conf)");
}

/* Prints the settings of the store. A mistake in these settings does not stop stintd, but store lines wait. */
static void check_store(const struct conf *conf)
{
	const char *who = conf->store_user[0] ? conf->store_user : "Slurm's own user";
	struct stat stat;

	if (!conf_has_store(conf)) {
		say("store", "off");
		return;
	}
	if (conf->store_command[0])
		printf("%-14s %s, as %s\n", "store_command", conf->store_command, who);
	else if (lstat(conf->store_dir, &stat) < 0 && strcmp(conf->store_dir, CONF_STORE_DIR) == 0)
		printf("%-14s %s: one line for each job, only on this node (it will be made)\n", "store_dir", conf->store_dir);
	else if (lstat(conf->store_dir, &stat) < 0 && errno == ENOENT)
		printf("%-14s %s: %s (mount its file system, or make it: install -d -m 0750 -o %s %s)\n", "store_dir", conf->store_dir,
		       strerror(ENOENT), conf->store_user[0] ? conf->store_user : "slurm", conf->store_dir);
	else if (lstat(conf->store_dir, &stat) < 0)
		printf("%-14s %s: %s\n", "store_dir", conf->store_dir, strerror(errno));
	else
		printf("%-14s %s: %s\n", "store_dir", conf->store_dir,
		       S_ISDIR(stat.st_mode) ? "one line for each job" : "it is not a directory");
	printf("%-14s written as %s, every %u s; up to %u MiB may wait for the store\n", "store", who,
	       conf->store_interval_s, conf->store_backlog_mb);
}

static void print_lists(const struct conf *conf)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (conf->programs_off[i])
			printf("%-14s %s is left out\n", "programs_off", program_names[i]);
	for (unsigned int i = 0; i < conf->rule_count; i++)
		printf("%-14s rule.%s = %g\n", "verdict", conf->rules[i].name, conf->rules[i].value);
}

int check_print(const struct conf *conf, const char *path)
{
	bool usable;

	printf("%-14s %s%s\n", "stint.conf", path, access(path, F_OK) == 0 ? "" : " is missing: the defaults apply");
	printf("%-14s %s, unless they choose otherwise\n", "jobs", mode_words[conf->mode]);
	printf("%-14s %s, from the job's working directory\n", "reports", conf->output);
	if (conf->report_mode == CONF_REPORT_MODE_JOB)
		say("report_mode", "the same as the mode of the job's own output");
	else
		printf("%-14s %04o\n", "report_mode", conf->report_mode);
	usable = check_directory("run_dir", conf->run_dir, CONTROL_SOCKET ", the journal and notes");
	usable &= check_directory("spool_dir", conf->spool_dir, "records that wait for their report");
	printf("%-14s %u MiB, and %u h each\n", "spool", conf->spool_max_mb, conf->spool_max_age_h);
	check_pins(conf->bpf_dir);
	printf("%-14s every %u s\n", "samples", conf->sample_interval_s);
	printf("%-14s stintd waits %u s for an epilog, and %u s for the records of other nodes\n", "epilogs",
	       conf->epilog_wait_s, conf->merge_wait_s);
	say("files", conf->files ? "each file's bytes and opens are counted" : "files are not counted one by one");
	say("gpus", conf->gpus ? "read while a job runs, if the node has some" : "not read");
	say("admin_comment", conf->admin_comment == CONF_COMMENT_JS1 ? "set to the job's summary (js1)" : "left alone");
	check_store(conf);
	print_lists(conf);
	return usable ? 0 : -1;
}

static void print_mistake(const char *mistake)
{
	log_line(LOG_ERR, "stintd", "%s", mistake);
}

int check_mistakes(const char *path)
{
	struct error err;

	return conf_mistakes(path, print_mistake, &err);
}
