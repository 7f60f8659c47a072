/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/doctor/doctor.h"
#include "reports/slurm/plugin_file.h"
#include "reports/slurm/plugstack.h"
#include "reports/slurm/slurm_conf.h"
#include "spank/off.h"
#include "spank/options.h"

#define ANSWER_WAIT_MS 2000
#define WORDS_MAX 64
#define DELETED " (deleted)"
#define BUILD "build stint against this Slurm (configure --with-slurm=PREFIX), and name its stint.so in plugstack.conf"

struct loader {
	char program[PATH_MAX];
	char version[64];
	unsigned int major, minor;
};

static bool ask_version(struct loader *loader, const char *program, const char *option, struct error *err)
{
	const char *const argv[] = { program, option, NULL };
	cleanup_free char *answer = subprocess_output(argv, ANSWER_WAIT_MS, 4096, NULL, err);
	const char *version = answer ? answer + strcspn(answer, "0123456789") : NULL;

	if (!version)
		return false;
	if (sscanf(version, "%u.%u", &loader->major, &loader->minor) != 2) {
		error_set(err, "%s %s does not name a release", program, option);
		return false;
	}
	snprintf(loader->program, sizeof(loader->program), "%s", program);
	snprintf(loader->version, sizeof(loader->version), "%.*s", (int)strcspn(version, " \n"), version);
	return true;
}

/* Root may run stint doctor, so it must not start a program that a user can change. */
static bool is_roots(const char *program)
{
	struct stat st;

	return program[0] == '/' && stat(program, &st) == 0 && st.st_uid == 0 && !(st.st_mode & 022);
}

/*
 * Finds the release of slurmd, whose slurmstepd loads the plugin. Asks the file on disk, which may be newer than the
 * running slurmd.
 */
static bool find_slurmd(struct doctor *doctor, struct loader *loader, struct error *err)
{
	char path[PATH_MAX];
	size_t length;

	if (doctor_role_slurmd(path)) {
		length = strlen(path);
		if (length > strlen(DELETED) && strcmp(path + length - strlen(DELETED), DELETED) == 0) {
			path[length - strlen(DELETED)] = '\0';
			doctor_say(doctor, DOCTOR_WARN, "slurmd", "restart slurmd", "%s was replaced since it was started", path);
		}
		if (is_roots(path) && ask_version(loader, path, "-V", err))
			return true;
	}
	return ask_version(loader, "slurmd", "-V", err) || ask_version(loader, "/usr/sbin/slurmd", "-V", err);
}

static bool find_loader(struct doctor *doctor, struct loader *loader)
{
	struct error err;

	if (!((doctor->roles & DOCTOR_NODE) && find_slurmd(doctor, loader, &err)) &&
	    !ask_version(loader, "sinfo", "--version", &err)) {
		doctor_say(doctor, DOCTOR_FAIL, "Slurm", "set PATH to Slurm's commands and SLURM_CONF to its slurm.conf", "%s",
			   err.text);
		return false;
	}
	doctor_say(doctor, DOCTOR_OK, "Slurm", NULL, "%s, as %s says", loader->version, loader->program);
	return true;
}

/* Slurm loads a plugin if the first two numbers of its release are the same. */
static void check_plugin_file(struct doctor *doctor, const struct plugstack_line *line, const struct loader *loader)
{
	struct plugin_file plugin;
	struct error err;

	if (line->plugin[0] != '/') {
		doctor_say(doctor, DOCTOR_WARN, "plugin", "write the full path of stint.so in plugstack.conf",
			   "%s: Slurm looks for it in its PluginDir, which stint doctor does not check", line->plugin);
		return;
	}
	if (plugin_file_read(line->plugin, &plugin, &err) < 0)
		doctor_say(doctor, DOCTOR_FAIL, "plugin", access(line->plugin, F_OK) == 0 && access(line->plugin, R_OK) < 0 ?
			   "let each user read it: run 'stint doctor' as root, which names the place" :
			   "name the file that 'make install' put at " SPANKDIR "/stint.so",
			   "%s:%u: Slurm will not load it: %s", line->file, line->number, err.text);
	else if (strcmp(plugin.type, "spank") != 0 || strcmp(plugin.name, "stint") != 0)
		doctor_say(doctor, DOCTOR_FAIL, "plugin", "name the file that 'make install' put at " SPANKDIR "/stint.so",
			   "%s is another plugin: %s/%s", line->plugin, plugin.type, plugin.name);
	else if (PLUGIN_MAJOR(plugin.version) != loader->major || PLUGIN_MINOR(plugin.version) != loader->minor)
		doctor_say(doctor, DOCTOR_FAIL, "plugin", BUILD, "%s was built for Slurm %u.%02u, and Slurm %s will not load it",
			   line->plugin, PLUGIN_MAJOR(plugin.version), PLUGIN_MINOR(plugin.version), loader->version);
	else
		doctor_say(doctor, DOCTOR_OK, "plugin", NULL, "%s, built for Slurm %u.%02u", line->plugin,
			   PLUGIN_MAJOR(plugin.version), PLUGIN_MINOR(plugin.version));
	doctor_shared(doctor, DOCTOR_FAIL, "plugin", line->plugin, DOCTOR_READ);
}

static void check_run_dir(struct doctor *doctor, const struct options_arguments *site)
{
	if (strcmp(site->run_dir, doctor->conf->run_dir) == 0)
		doctor_say(doctor, DOCTOR_OK, "plugin's run_dir", NULL, "%s, as in stint.conf", site->run_dir);
	else
		doctor_say(doctor, DOCTOR_FAIL, "plugin's run_dir", "set one run_dir in plugstack.conf and stint.conf",
			   "the plugin connects to %s, but stintd listens at %s", site->run_dir, doctor->conf->run_dir);
}

static void check_off(struct doctor *doctor, const struct plugstack_line *line, const struct options_arguments *site)
{
	char path[PATH_MAX + sizeof("/" OFF_FILE)], mend[PATH_MAX + 32];

	if (site->off)
		doctor_say(doctor, DOCTOR_INFO, "off", "remove mode=off from the line", "%s:%u turns stint off: no job is counted",
			   line->file, line->number);
	if (site->off_user_count)
		doctor_say(doctor, DOCTOR_INFO, "off", NULL, "%s:%u turns stint off for %u users", line->file, line->number,
			   site->off_user_count);
	if (site->off_partitions[0])
		doctor_say(doctor, DOCTOR_INFO, "off", NULL, "%s:%u turns stint off for these partitions: %s", line->file,
			   line->number, site->off_partitions);
	snprintf(path, sizeof(path), "%s/" OFF_FILE, site->run_dir);
	snprintf(mend, sizeof(mend), "rm %s", path);
	if ((doctor->roles & DOCTOR_NODE) && access(path, F_OK) == 0)
		doctor_say(doctor, DOCTOR_INFO, "off", mend, "%s turns stint off on this node: no job is counted", path);
}

static void check_arguments(struct doctor *doctor, struct plugstack_line *line)
{
	char *words[WORDS_MAX];
	struct options_arguments site;
	struct error err;
	int count = 0;

	for (char *save, *word = strtok_r(line->arguments, " ", &save); word && count < WORDS_MAX; word = strtok_r(NULL, " ", &save))
		words[count++] = word;
	if (options_parse_arguments(count, words, &site, &err) < 0) {
		doctor_say(doctor, DOCTOR_FAIL, "plugin's arguments", "correct the line as in stint-spank(8)",
			   "%s:%u: %s; no job is counted", line->file, line->number, err.text);
		return;
	}
	if (doctor->roles & DOCTOR_NODE)
		check_run_dir(doctor, &site);
	check_off(doctor, line, &site);
}

/* Writes how to add the plugin's line, or how to make @failed readable. */
static void mend_line(char *mend, size_t size, const struct doctor *doctor, const char *path, const struct plugstack_line *failed)
{
	const char *what = "add to it";

	if (failed && failed->error == EACCES) {
		snprintf(mend, size, "chmod o+r %.*s", PATH_MAX, failed->file);
		return;
	}
	if (failed && (failed->error != ENOENT || strcmp(failed->file, path) != 0)) {
		snprintf(mend, size, "fix %.*s, or the line that includes it", PATH_MAX, failed->file);
		return;
	}
	if (failed)
		what = "make it, with the line";
	snprintf(mend, size, "%s: optional " SPANKDIR "/stint.so run_dir=%s", what, doctor->conf->run_dir);
}

static void see_file(void *data, const char *place, bool listed)
{
	doctor_shared(data, DOCTOR_FAIL, "plugstack", place, listed ? DOCTOR_LIST : DOCTOR_READ);
}

static bool find_line(struct doctor *doctor, const char *path, struct plugstack_line *line)
{
	char mend[2 * PATH_MAX + 64];
	struct error err;
	int found = plugstack_find(path, line, &err);

	mend_line(mend, sizeof(mend), doctor, path, found < 0 ? line : NULL);
	if (found < 0)
		doctor_say(doctor, DOCTOR_FAIL, "plugstack", mend, "%s", err.text);
	else if (found == 0)
		doctor_say(doctor, DOCTOR_FAIL, "plugstack", mend, "%s has no line for stint.so", path);
	else if (line->required)
		doctor_say(doctor, DOCTOR_WARN, "plugstack", "write 'optional' instead of 'required'",
			   "%s:%u: a 'required' plugin that fails can drain the node", line->file, line->number);
	else
		doctor_say(doctor, DOCTOR_OK, "plugstack", NULL, "%s:%u", line->file, line->number);
	if (found > 0)
		plugstack_each(path, see_file, doctor);
	return found > 0;
}

/* Jobs have an extern step if PrologFlags has Contain. X11 and RunInJob imply Contain (slurm.conf(5)). */
static bool has_extern_steps(const char *conf)
{
	char flags[256] = "";

	slurm_conf_value(conf, "PrologFlags", flags, sizeof(flags));
	return strcasestr(flags, "contain") || strcasestr(flags, "x11") || strcasestr(flags, "runinjob");
}

static void check_contain(struct doctor *doctor, const struct plugstack_line *line, const char *conf)
{
	bool has = has_extern_steps(conf);

	if (line->contain && !has)
		doctor_say(doctor, DOCTOR_FAIL, "PrologFlags",
			   "set PrologFlags=Contain in slurm.conf, or name stint.so in plugstack.conf",
			   "without Contain, " PLUGSTACK_CONTAIN " does not see when a job is over: reports come late, or not at all");
	else if (line->contain)
		doctor_say(doctor, DOCTOR_OK, "PrologFlags", NULL, "Contain, as " PLUGSTACK_CONTAIN " needs it");
	else if (has)
		doctor_say(doctor, DOCTOR_INFO, "PrologFlags", NULL,
			   "stint.so costs slurmd a process for each job; " PLUGSTACK_CONTAIN
			   " would not, because PrologFlags has Contain: see stint-spank(8)");
}

void doctor_plugin(struct doctor *doctor, const char *path, const char *conf)
{
	static struct plugstack_line line; /* too large for the stack */
	struct loader loader;
	bool loads = doctor->roles & (DOCTOR_NODE | DOCTOR_SUBMIT); /* slurmctld loads no SPANK plugin */
	bool known = loads && find_loader(doctor, &loader);

	if (!find_line(doctor, path, &line))
		return;
	if (known)
		check_plugin_file(doctor, &line, &loader);
	if (doctor->roles & DOCTOR_NODE) /* where jobs end */
		check_contain(doctor, &line, conf);
	check_arguments(doctor, &line);
}
