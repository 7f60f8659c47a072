/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of stint doctor. Each finds one thing, with how to mend what is wrong. */
#ifndef STINT_DOCTOR_H
#define STINT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "common/conf.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_INFO, /* a choice of the site's, or what nobody can mend */
	DOCTOR_WARN, /* something cannot be measured, or could not be looked at */
	DOCTOR_FAIL, /* no report will come, or sbatch complains */
};

/* What a host is to the cluster. It can be several things. */
enum doctor_role {
	DOCTOR_NODE = 1,       /* jobs run here */
	DOCTOR_SUBMIT = 2,     /* users submit here */
	DOCTOR_CONTROLLER = 4, /* slurmctld runs here */
	DOCTOR_DATABASE = 8,   /* slurmdbd runs here */
};

struct doctor {
	const struct conf *conf;
	unsigned int roles;        /* of enum doctor_role */
	bool quiet;                /* says only what is wrong */
	struct json_object *checks; /* where each check goes instead of being printed; or NULL */
	unsigned int warnings, failures;
	struct doctor_said {
		const char *subject;
		char place[PATH_MAX];
	} closed, open; /* what doctor_shared() has said last */
};

/*
 * Prints the line of one check, or keeps it for --json.
 *
 * @subject: what was looked at
 * @mend: what to do, or NULL when there is nothing to mend; a DOCTOR_FAIL has one
 * @format: what was found
 */
void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * Reads names of roles with a comma between. Returns them; 0 when one is unknown.
 */
unsigned int doctor_role_parse(const char *names);

/*
 * Returns the name of one role, as doctor_role_parse() reads it.
 */
const char *doctor_role_name(enum doctor_role role);

/*
 * Finds the roles of this host: by the daemons of Slurm that run, else by what is installed.
 *
 * @why: set to what was found, of @size bytes
 */
unsigned int doctor_role_guess(char *why, size_t size);

/*
 * Finds the program of a slurmd that runs here.
 *
 * Returns false when there is none that this process may look at, or several of different programs; then @path is
 * empty.
 */
bool doctor_role_slurmd(char path[PATH_MAX]);

/* What users do with a file or directory that root's programs use, too. */
enum doctor_use {
	DOCTOR_READ = 4,
	DOCTOR_RUN = 5,  /* a program: read and execute */
	DOCTOR_LIST = 5, /* a directory: search it by a pattern */
};

/*
 * Checks a file that both users' programs and root's read, and each directory and link on the way to it: that each user
 * can, and that root alone can change it. Says nothing where it is so, or where @path is not there; and nothing for a second time
 * in a row, where several files are on one way.
 *
 * @level: how bad it is that users cannot use it
 */
void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path, enum doctor_use use);

/* What the kernel offers: BTF, bpffs, rights, cgroups. */
void doctor_kernel(struct doctor *doctor);

/* Slurm's configuration: where it is, and what in it concerns stint in each role. */
void doctor_slurm(struct doctor *doctor);

/*
 * The plugin's line in the plugstack file @path, the plugin itself, and whether the Slurm of this host would load it.
 * @conf: what slurm.conf says
 */
void doctor_plugin(struct doctor *doctor, const char *path, const char *conf);

/* stintd: its directories, its socket, and which kernel programs it has loaded. */
void doctor_daemon(struct doctor *doctor);

#endif
