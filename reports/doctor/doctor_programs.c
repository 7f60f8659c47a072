/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the programs that stint starts, which come in other packages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/doctor/doctor.h"

#define ANSWER_MS 5000
#define ANSWER_MAX 4096

static const struct helper {
	const char *name, *package;
	unsigned int roles; /* that need it */
	unsigned int fails; /* roles that fail without it */
	const char *without;
} helpers[] = {
	{ "stint-epilog", "stint-node", DOCTOR_NODE, DOCTOR_NODE, "no job gets a report" },
	{ "stint-slurm-job", "stint-slurm", DOCTOR_NODE | DOCTOR_SUBMIT | DOCTOR_STORE, 0, "stint cannot ask Slurm anything" },
	{ "stint-site", "stint-site", DOCTOR_STORE, DOCTOR_STORE, "nothing is ingested, and the store is not checked" },
};

const char *doctor_program_path(const char *name, char path[PATH_MAX])
{
	const char *directory = secure_getenv("STINT_LIBEXEC");

	snprintf(path, PATH_MAX, "%s/%s", directory ? directory : LIBEXECDIR, name);
	return path;
}

/*
 * Writes how users can run the program.
 *
 * @why: errno of access()
 */
static void write_mend(const struct helper *helper, const char *path, int why, char *mend, size_t size)
{
	if (why == ENOENT)
		snprintf(mend, size, "install the package %s", helper->package);
	else if (why == EACCES && access(path, F_OK) == 0)
		snprintf(mend, size, "chmod 0755 %s", path);
	else
		snprintf(mend, size, "install the package %s again", helper->package);
}

static void check_version(struct doctor *doctor, const struct helper *helper, const char *path)
{
	const char *const arguments[] = { path, "--version", NULL };
	struct error err;
	cleanup_free char *text = subprocess_output(arguments, ANSWER_MS, ANSWER_MAX, NULL, &err);
	char mend[128], expected[64];

	snprintf(mend, sizeof(mend), "install %s " PACKAGE_VERSION "%s", helper->package,
		 !text && strstr(err.text, "shared librar") ? ", built for the libraries of this host" : "");
	snprintf(expected, sizeof(expected), "%s " PACKAGE_VERSION, helper->name);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	if (!text)
		doctor_say(doctor, DOCTOR_WARN, helper->name, mend, "%s does not say its version: %s", path, err.text);
	else if (strncmp(text, helper->name, strlen(helper->name)) != 0)
		doctor_say(doctor, DOCTOR_WARN, helper->name, mend, "%s does not say its version: it may be another program", path);
	else if (strcmp(text, expected) != 0)
		doctor_say(doctor, DOCTOR_WARN, helper->name, mend, "%s is not of this stint, " PACKAGE_VERSION ", but: %.40s", path, text);
}

static void check_helper(struct doctor *doctor, const struct helper *helper)
{
	char path[PATH_MAX], mend[PATH_MAX + 128];
	int why;

	doctor_program_path(helper->name, path);
	if (access(path, X_OK) == 0) {
		check_version(doctor, helper, path);
		return;
	}
	why = errno;
	write_mend(helper, path, why, mend, sizeof(mend));
	if (helper->fails & doctor->roles)
		doctor_say(doctor, DOCTOR_FAIL, helper->name, mend, "it cannot be run: %s: %s: %s", path, strerror(why), helper->without);
	else
		doctor_say(doctor, DOCTOR_WARN, helper->name, mend, "%s: %s: %s", path, strerror(why), helper->without);
}

void doctor_programs(struct doctor *doctor)
{
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (helpers[i].roles & doctor->roles)
			check_helper(doctor, &helpers[i]);
}
