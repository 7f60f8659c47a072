/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/doctor.h"
#include "reports/process.h"
#include "reports/slurm_conf.h"

#define SLURM_CONF_MAX (16u << 20)
#define SINFO_WAIT_MS 2000
#define PLUGIN_RUN_DIR "/run/stint" /* of a plugstack line that does not say; spank/options.h */

/* A plugin is taken by Slurm of its own YY.MM only. */
static void check_version(struct doctor *doctor)
{
	static const char *const argv[] = { "sinfo", "--version", NULL };
	struct error err;
	cleanup_free char *answer = process_output(argv, SINFO_WAIT_MS, 4096, NULL, &err);
	const char *version = answer ? answer + strcspn(answer, "0123456789") : NULL;
	const char built[] = SLURM_VERSION;
	size_t release = strrchr(built, '.') - built;

	if (!answer) {
		doctor_say(doctor, DOCTOR_FAIL, "Slurm", "set PATH to Slurm's commands and SLURM_CONF to its slurm.conf", "%s",
			   err.text);
		return;
	}
	answer[strcspn(answer, "\n")] = '\0';
	if (strncmp(version, built, release) == 0 && version[release] == '.')
		doctor_say(doctor, DOCTOR_OK, "Slurm", NULL, "%s; the plugin is built for %.*s", version, (int)release,
			   built);
	else
		doctor_say(doctor, DOCTOR_FAIL, "Slurm", "build stint against this Slurm (configure --with-slurm=PREFIX)",
			   "%s, but the plugin is built for %.*s, and Slurm will not load it", version, (int)release,
			   built);
}

static void check_cgroup_plugins(struct doctor *doctor, const char *conf)
{
	char tracking[256] = "", task[256] = "";

	slurm_conf_value(conf, "ProctrackType", tracking, sizeof(tracking));
	slurm_conf_value(conf, "TaskPlugin", task, sizeof(task));
	if (strcmp(tracking, "proctrack/cgroup") == 0)
		doctor_say(doctor, DOCTOR_OK, "ProctrackType", NULL, "proctrack/cgroup");
	else if (strstr(task, "task/cgroup"))
		doctor_say(doctor, DOCTOR_WARN, "ProctrackType", "set ProctrackType=proctrack/cgroup in slurm.conf",
			   "not proctrack/cgroup: a job's cgroup is there through task/cgroup only");
	else
		doctor_say(doctor, DOCTOR_FAIL, "ProctrackType", "set ProctrackType=proctrack/cgroup in slurm.conf",
			   "'%s': jobs have no cgroup to be known by", tracking[0] ? tracking : "not set");
}

static void check_plugin_file(struct doctor *doctor, const struct plugstack_line *line)
{
	if (line->plugin[0] != '/')
		doctor_say(doctor, DOCTOR_WARN, "plugin", "write the full path of stint.so in plugstack.conf",
			   "%s: looked for in Slurm's PluginDir, which is not checked here", line->plugin);
	else if (access(line->plugin, R_OK) == 0)
		doctor_say(doctor, DOCTOR_OK, "plugin", NULL, "%s", line->plugin);
	else
		doctor_say(doctor, DOCTOR_FAIL, "plugin", "name the file that 'make install' put at " SPANKDIR "/stint.so",
			   "%s:%u names %s, which is not there", line->file, line->number, line->plugin);
}

static void check_run_dir(struct doctor *doctor, const struct plugstack_line *line)
{
	const char *plugin = line->run_dir[0] ? line->run_dir : PLUGIN_RUN_DIR;

	if (strcmp(plugin, doctor->conf->run_dir) == 0)
		doctor_say(doctor, DOCTOR_OK, "plugin's run_dir", NULL, "%s, as in stint.conf", plugin);
	else
		doctor_say(doctor, DOCTOR_FAIL, "plugin's run_dir", "set one run_dir in plugstack.conf and stint.conf",
			   "the plugin calls at %s, but stintd listens at %s", plugin, doctor->conf->run_dir);
}

static void check_plugstack(struct doctor *doctor, const char *path)
{
	static struct plugstack_line line; /* three paths: much for a stack */
	struct error err;
	int found;

	found = plugstack_find(path, &line, &err);
	if (found < 0) {
		doctor_say(doctor, DOCTOR_FAIL, "plugstack", "put contrib/plugstack.conf's line there", "%s", err.text);
		return;
	}
	if (found == 0) {
		doctor_say(doctor, DOCTOR_FAIL, "plugstack", "add: optional " SPANKDIR "/stint.so", "%s has no line for stint.so",
			   path);
		return;
	}
	if (line.required)
		doctor_say(doctor, DOCTOR_WARN, "plugstack", "write 'optional' instead of 'required'",
			   "%s:%u: a 'required' plugin that fails can drain the node", line.file, line.number);
	else
		doctor_say(doctor, DOCTOR_OK, "plugstack", NULL, "%s:%u", line.file, line.number);
	check_plugin_file(doctor, &line);
	check_run_dir(doctor, &line);
}

static void check_accounting(struct doctor *doctor, const char *conf)
{
	char storage[256] = "";

	if (doctor->conf->admin_comment == CONF_COMMENT_NONE)
		return;
	slurm_conf_value(conf, "AccountingStorageType", storage, sizeof(storage));
	if (strcmp(storage, "accounting_storage/slurmdbd") == 0)
		doctor_say(doctor, DOCTOR_OK, "admin_comment", NULL, "slurmdbd keeps it");
	else
		doctor_say(doctor, DOCTOR_FAIL, "admin_comment",
			   "set AccountingStorageType=accounting_storage/slurmdbd in slurm.conf, or admin_comment = none",
			   "Slurm has no accounting that could keep it");
}

static void check_configuration(struct doctor *doctor)
{
	const char *path = getenv("SLURM_CONF");
	char directory[PATH_MAX], plugstack[PATH_MAX + 32];
	cleanup_free char *text = NULL;
	struct error err;

	if (!path)
		path = "/etc/slurm/slurm.conf";
	text = file_read(AT_FDCWD, path, SLURM_CONF_MAX, NULL, &err);
	if (!text) {
		doctor_say(doctor, DOCTOR_WARN, "slurm.conf", "export SLURM_CONF=/where/it/is/slurm.conf", "%s", err.text);
		return;
	}
	doctor_say(doctor, DOCTOR_OK, "slurm.conf", NULL, "%s", path);
	check_cgroup_plugins(doctor, text);
	check_accounting(doctor, text);
	snprintf(directory, sizeof(directory), "%s", path);
	snprintf(plugstack, sizeof(plugstack), "%s/plugstack.conf", dirname(directory));
	slurm_conf_value(text, "PlugStackConfig", plugstack, sizeof(plugstack));
	check_plugstack(doctor, plugstack);
}

void doctor_slurm(struct doctor *doctor)
{
	check_version(doctor);
	check_configuration(doctor);
}
