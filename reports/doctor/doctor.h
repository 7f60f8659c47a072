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
	DOCTOR_INFO, /* the site decided so, or it cannot be fixed */
	DOCTOR_WARN, /* something cannot be measured, or could not be checked */
	DOCTOR_FAIL, /* jobs get no report, or sbatch complains */
};

/* What a host does in the cluster. A host can have several roles. */
enum doctor_role {
	DOCTOR_NODE = 1,       /* jobs run here */
	DOCTOR_SUBMIT = 2,     /* users submit here */
	DOCTOR_CONTROLLER = 4, /* slurmctld runs here */
	DOCTOR_DATABASE = 8,   /* slurmdbd runs here */
	DOCTOR_STORE = 16,     /* the cluster's store is on this host: stint ingest runs here */
};

#define DOCTOR_LAST_ROLE DOCTOR_STORE

struct doctor {
	const struct conf *conf;
	unsigned int roles;        /* of enum doctor_role */
	bool quiet;                /* print only the checks that found something wrong */
	struct json_object *checks; /* if not NULL, doctor_say() adds each check to this array instead of printing it */
	/*
	 * which one of several databases is checked, so that each subject becomes "SUBJECT of WHOSE"; NULL if
	 * there is only one
	 */
	const char *whose;
	unsigned int warnings, failures;
	struct doctor_said {
		const char *subject;
		char place[PATH_MAX];
	} closed, open; /* the two kinds of finding that doctor_shared() printed last, so that it does not repeat them */
};

/*
 * Prints one line with the result of a check, or adds it to doctor->checks for --json.
 *
 * @subject: what was checked
 * @mend: how to fix it, or NULL if there is nothing to fix. Must not be NULL for DOCTOR_FAIL.
 * @format: what was found
 */
void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns the name of a level. A printed line begins with it. */
const char *doctor_level_name(enum doctor_level level);

/* Parses the names of roles, separated by commas. Returns the roles as bits; 0 if a name is unknown. */
unsigned int doctor_role_parse(const char *names);

/*
 * Returns the name of one role. doctor_role_parse() accepts this name.
 */
const char *doctor_role_name(enum doctor_role role);

/*
 * Guesses the roles of this host from the Slurm daemons that run on it. If none runs, guesses from the programs
 * that are installed. Returns the roles as bits.
 *
 * @why: filled with what the guess is based on; has @size bytes
 */
unsigned int doctor_role_guess(char *why, size_t size);

/*
 * Finds the program file of the slurmd that runs on this host.
 *
 * Returns false, with @path empty, if this process cannot inspect any slurmd, or if several slurmds run from
 * different files.
 */
bool doctor_role_slurmd(char path[PATH_MAX]);

/* What users must be able to do with a file or directory that programs of root also use. */
enum doctor_use {
	DOCTOR_READ = 4,
	DOCTOR_RUN = 5,  /* a program: read and execute */
	DOCTOR_LIST = 5, /* a directory: list its files, to find those that match a pattern */
};

/*
 * Checks a file that both users' programs and root's programs read. Also checks each directory and each link on
 * the path to the file. Every user must be able to use all of these, and only root may be able to change them.
 * Prints nothing if that is so, or if @path does not exist. If several files have a part of their paths in common,
 * the same finding is not printed twice in a row.
 *
 * @level: how severe it is if users cannot use the file
 */
void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path, enum doctor_use use);

/* Writes the path of one of stint's own programs that users do not start themselves. Returns @path. */
const char *doctor_program_path(const char *name, char path[PATH_MAX]);

/*
 * Checks the programs that stint starts and that the roles of this host need. Checks that each one is installed,
 * can be run, and has this version. Prints nothing about a program that passes.
 */
void doctor_programs(struct doctor *doctor);

/*
 * Runs stint-site for the checks of the store's host, because stint itself is not linked with a database. Prints
 * their results.
 *
 * @site: path of site.conf; NULL for the default path
 * @config: path of stint.conf; NULL for the default path
 */
void doctor_store(struct doctor *doctor, const char *site, const char *config);

/* Checks what stint needs from the kernel: BTF, bpffs, rights, cgroups. */
void doctor_kernel(struct doctor *doctor);

/* Checks Slurm's configuration: where it is, and the settings that stint needs on a host with these roles. */
void doctor_slurm(struct doctor *doctor);

/*
 * Checks the plugin's line in the plugstack file @path, the plugin itself, and whether the Slurm on this host
 * would load the plugin.
 *
 * @conf: text of slurm.conf
 */
void doctor_plugin(struct doctor *doctor, const char *path, const char *conf);

/* Checks stintd: its directories, its socket, and the kernel programs that it has loaded. */
void doctor_daemon(struct doctor *doctor);

/*
 * Checks whether the user who writes to the store has permission to do so. Does nothing unless this process is
 * root's.
 */
void doctor_store_dir(struct doctor *doctor);

/*
 * Counts the node records and the store lines that wait on this node, and prints the numbers.
 *
 * @store_fails: whether stintd says that the store accepts no lines. If so, does not print that the lines are on
 * their way.
 */
void doctor_waiting(struct doctor *doctor, bool store_fails);

#endif
