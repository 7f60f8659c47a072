/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/doctor/doctor.h"
#include "reports/files/munge.h"
#include "reports/slurm/slurm_conf.h"
#include "reports/slurm/slurm_job.h"

#define MAIL "stint-mail"

static void check_cgroup_plugins(struct doctor *doctor, const char *conf)
{
	char tracking[256] = "", task[256] = "";

	slurm_conf_value(conf, "ProctrackType", tracking, sizeof(tracking));
	slurm_conf_value(conf, "TaskPlugin", task, sizeof(task));
	if (strcmp(tracking, "proctrack/cgroup") == 0)
		doctor_say(doctor, DOCTOR_OK, "ProctrackType", NULL, "proctrack/cgroup");
	else if (strstr(task, "task/cgroup"))
		doctor_say(doctor, DOCTOR_WARN, "ProctrackType", "set ProctrackType=proctrack/cgroup in slurm.conf",
			   "not proctrack/cgroup: only task/cgroup makes a job's cgroup");
	else
		doctor_say(doctor, DOCTOR_FAIL, "ProctrackType", "set ProctrackType=proctrack/cgroup in slurm.conf",
			   "'%s': jobs have no cgroup by which stint could identify them", tracking[0] ? tracking : "not set");
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

/*
 * @conf: text of slurm.conf; may be NULL
 * @why: why munge does not answer
 */
static void write_munge_mend(const struct doctor *doctor, const char *conf, const char *why, char *mend, size_t size)
{
	char info[PATH_MAX + 64] = "";
	const char *given = conf && slurm_conf_value(conf, "AuthInfo", info, sizeof(info)) ? strstr(info, "socket=") : NULL;

	given = given ? given + strlen("socket=") : "";
	if (strncmp(why, "munge:", strlen("munge:")) != 0) /* no libmunge here, or at build time */
		snprintf(mend, size, "install libmunge, and a stint that was built with it");
	else if (*given && strncmp(given, doctor->conf->munge_socket, strcspn(given, ",")) != 0)
		snprintf(mend, size, "set munge_socket = %.*s in stint.conf, as slurm.conf's AuthInfo says", (int)strcspn(given, ","),
			 given);
	else if (doctor->conf->munge_socket[0])
		snprintf(mend, size, "start munged, or set munge_socket in stint.conf to where it answers");
	else
		snprintf(mend, size, "start munged: systemctl enable --now munge");
}

/* Nodes sign their parts with munge. */
static void check_munge(struct doctor *doctor, const char *conf)
{
	const char *socket = doctor->conf->munge_socket;
	char type[256] = "auth/munge", mend[PATH_MAX + 128];
	enum doctor_level level = DOCTOR_WARN;
	struct error err;

	if (munge_notary(socket, &err)) {
		doctor_say(doctor, DOCTOR_OK, "munge_socket", NULL, "munge answers%s%s", socket[0] ? " at " : "", socket);
		return;
	}
	if (conf)
		slurm_conf_value(conf, "AuthType", type, sizeof(type));
	if (!socket[0] && (!conf || strcmp(type, "auth/munge") != 0))
		level = DOCTOR_INFO; /* the site chose a Slurm without munge */
	write_munge_mend(doctor, conf, err.text, mend, sizeof(mend));
	doctor_say(doctor, level, "munge_socket", level == DOCTOR_WARN ? mend : NULL,
		   "%s: nothing proves what the nodes of a job have counted", err.text);
}

/* If MailProg is missing, Slurm sends no mail and reports no error. */
static void check_mail(struct doctor *doctor, const char *conf)
{
	char program[PATH_MAX] = "", mend[PATH_MAX + 64] = "set MailProg=" LIBEXECDIR "/" MAIL " in slurm.conf, and install stint here";

	slurm_conf_value(conf, "MailProg", program, sizeof(program));
	if (!strstr(program, MAIL))
		return;
	if (access(program, F_OK) == 0)
		snprintf(mend, sizeof(mend), "chmod 0755 %s", program);
	if (access(program, X_OK) == 0)
		doctor_say(doctor, DOCTOR_OK, "MailProg", NULL, "%s", program);
	else
		doctor_say(doctor, DOCTOR_FAIL, "MailProg", mend, "%s: %s: no mail is sent", program, strerror(errno));
}

/* Returns slurm.conf, which the caller frees; NULL if it cannot be read. A database host needs no slurm.conf. */
static char *read_conf(struct doctor *doctor, const char *path)
{
	char mend[PATH_MAX + 64] = "export SLURM_CONF=/where/it/is/slurm.conf", *text;
	struct error err;

	if (access(path, F_OK) == 0)
		snprintf(mend, sizeof(mend), "let all who run Slurm's commands read it: chmod o+r %s", path);
	text = slurm_conf_read(path, &err);
	if (text && err.text[0])
		doctor_say(doctor, DOCTOR_WARN, "slurm.conf", "let all who run Slurm's commands read the files that it includes",
			   "stint doctor did not read all files that it includes: %s", err.text);
	else if (text)
		doctor_say(doctor, DOCTOR_OK, "slurm.conf", NULL, "%s%s", path,
			   strcmp(path, SLURM_CONF_CONFIGLESS) == 0 ? ", from slurmctld (configless)" : "");
	else if (doctor->roles == DOCTOR_DATABASE)
		doctor_say(doctor, DOCTOR_INFO, "slurm.conf", NULL, "%s; a database host needs none", err.text);
	else
		doctor_say(doctor, DOCTOR_WARN, "slurm.conf", mend, "%s", err.text);
	return text;
}

/* stint list and stint report run the helper as the user. */
static void check_helper(struct doctor *doctor)
{
	char path[PATH_MAX];
	struct error err;

	if (slurm_job_helper(path, &err) == 0)
		doctor_shared(doctor, DOCTOR_WARN, "helper", path, DOCTOR_RUN);
}

static bool is_configless(const char *conf)
{
	char parameters[1024] = "";

	slurm_conf_value(conf, "SlurmctldParameters", parameters, sizeof(parameters));
	return strcasestr(parameters, "enable_configless");
}

void doctor_slurm(struct doctor *doctor)
{
	const char *path = slurm_conf_path();
	char directory[PATH_MAX], plugstack[PATH_MAX + 32];
	cleanup_free char *text = read_conf(doctor, path);

	if (doctor->roles & (DOCTOR_NODE | DOCTOR_SUBMIT)) {
		check_helper(doctor);
		check_munge(doctor, text);
	}
	if (!text)
		return;
	if (doctor->roles & (DOCTOR_NODE | DOCTOR_CONTROLLER))
		check_cgroup_plugins(doctor, text);
	check_accounting(doctor, text);
	if (doctor->roles & DOCTOR_CONTROLLER)
		check_mail(doctor, text);
	snprintf(directory, sizeof(directory), "%s", path);
	snprintf(plugstack, sizeof(plugstack), "%s/plugstack.conf", dirname(directory));
	slurm_conf_value(text, "PlugStackConfig", plugstack, sizeof(plugstack));
	if ((doctor->roles & (DOCTOR_NODE | DOCTOR_SUBMIT)) || ((doctor->roles & DOCTOR_CONTROLLER) && is_configless(text)))
		doctor_plugin(doctor, plugstack, text);
}
