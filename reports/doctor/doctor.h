/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of stint doctor. Each check reports a finding, and says how to fix what is wrong. */
#ifndef STINT_DOCTOR_H
#define STINT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "common/conf.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_INFO, /* the site's choice, or something that cannot be fixed */
	DOCTOR_WARN, /* something cannot be measured, or could not be checked */
	DOCTOR_FAIL, /* jobs will get no report, or sbatch will complain */
};

/* The role of a host in the cluster. A host can have several roles. */
enum doctor_role {
	DOCTOR_NODE = 1,       /* jobs run here */
	DOCTOR_SUBMIT = 2,     /* users submit here */
	DOCTOR_CONTROLLER = 4, /* slurmctld runs here */
	DOCTOR_DATABASE = 8,   /* slurmdbd runs here */
	DOCTOR_STORE = 16,     /* the cluster's store is here: stint ingest runs here */
};

#define DOCTOR_LAST_ROLE DOCTOR_STORE

struct doctor {
	const struct conf *conf;
	unsigned int roles;        /* of enum doctor_role */
	bool quiet;                /* whether to print only what is wrong */
	struct json_object *checks; /* if not NULL, each check is added here instead of being printed */
	const char *whose; /* names the checked one of several: each subject becomes "SUBJECT of WHOSE"; NULL if there is only one */
	unsigned int warnings, failures;
	struct doctor_said {
		const char *subject;
		char place[PATH_MAX];
	} closed, open; /* the findings that doctor_shared() printed last */
};

/*
 * Prints the line of one check, or keeps it for --json.
 *
 * @subject: what was checked
 * @mend: how to fix it, or NULL if there is nothing to fix. A DOCTOR_FAIL always has one.
 * @format: what was found
 */
void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns the name of a level, as it begins a line. */
const char *doctor_level_name(enum doctor_level level);

/* Parses role names, which are separated by commas. Returns the roles; 0 if a name is unknown. */
unsigned int doctor_role_parse(const char *names);

/*
 * Returns the name of one role, as doctor_role_parse() reads it.
 */
const char *doctor_role_name(enum doctor_role role);

/*
 * Guesses the roles of this host from the Slurm daemons that run. If none runs, guesses from what is installed.
 * Returns the roles.
 *
 * @why: set to what was found; has @size bytes
 */
unsigned int doctor_role_guess(char *why, size_t size);

/*
 * Finds the program file of the slurmd that runs on this host.
 *
 * Returns false, with @path empty, if there is no slurmd that this process may inspect, or if several run from
 * different programs.
 */
bool doctor_role_slurmd(char path[PATH_MAX]);

/* What users must be able to do with a file or directory that root's programs also use. */
enum doctor_use {
	DOCTOR_READ = 4,
	DOCTOR_RUN = 5,  /* a program: read and execute */
	DOCTOR_LIST = 5, /* a directory: find files in it by a pattern */
};

/*
 * Checks a file that both users' programs and root's programs read. Also checks each directory and link on the path
 * to the file. Every user must be able to use all of these, and only root may be able to change them. Prints nothing
 * if that is so, or if @path does not exist. Several files may have a path in common, so a finding is not printed
 * twice in a row.
 *
 * @level: severity of the finding that users cannot use the file
 */
void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path, enum doctor_use use);

/* Writes the path of one of stint's own programs, which users do not start. Returns @path. */
const char *doctor_program_path(const char *name, char path[PATH_MAX]);

/*
 * Checks the programs that stint's programs start: whether each that this host's roles need is there, can be run, and
 * is of this version. Says nothing about those that are in order.
 */
void doctor_programs(struct doctor *doctor);

/*
 * Lets stint-site make the checks of the store's host. @site: path of site.conf; @config: path of stint.conf; NULL for
 * the default paths
 */
void doctor_store(struct doctor *doctor, const char *site, const char *config);

/* Checks the kernel's features: BTF, bpffs, rights, cgroups. */
void doctor_kernel(struct doctor *doctor);

/* Checks Slurm's configuration: its location, and the settings that matter to stint in each role. */
void doctor_slurm(struct doctor *doctor);

/*
 * Checks the plugin's line in the plugstack file @path, the plugin itself, and whether the Slurm on this host would
 * load the plugin. @conf: text of slurm.conf
 */
void doctor_plugin(struct doctor *doctor, const char *path, const char *conf);

/* Checks stintd: its directories, its socket, and the kernel programs that it has loaded. */
void doctor_daemon(struct doctor *doctor);

/* Checks whether the user who writes to the store may do so. Only root can check this. */
void doctor_store_dir(struct doctor *doctor);

/*
 * Counts the records, and the lines for the store, that wait on this node.
 *
 * @store_fails: whether stintd says that the store accepts no lines; if so, does not say that the lines are on their way
 */
void doctor_waiting(struct doctor *doctor, bool store_fails);

#endif
