/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of stint doctor. */
#ifndef STINT_DOCTOR_H
#define STINT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "common/conf.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_INFO, /* the site's decision, or cannot be fixed */
	DOCTOR_WARN, /* cannot be measured or checked */
	DOCTOR_FAIL, /* jobs get no report, or sbatch complains */
};

/* A host can have several roles. */
enum doctor_role {
	DOCTOR_NODE = 1,       /* jobs run here */
	DOCTOR_SUBMIT = 2,     /* users submit here */
	DOCTOR_CONTROLLER = 4, /* slurmctld runs here */
	DOCTOR_DATABASE = 8,   /* slurmdbd runs here */
	DOCTOR_STORE = 16,     /* stint ingest runs here */
};

#define DOCTOR_LAST_ROLE DOCTOR_STORE

struct doctor {
	const struct conf *conf;
	unsigned int roles;        /* of enum doctor_role */
	bool quiet;                /* print only what is wrong */
	struct json_object *checks; /* for JSON; NULL: print */
	/* names the database that is checked, if there are several: "SUBJECT of WHOSE"; may be NULL */
	const char *whose;
	unsigned int warnings, failures;
	struct doctor_said {
		const char *subject;
		char place[PATH_MAX];
	} closed, open; /* last findings of doctor_shared() */
};

/*
 * Prints the result of a check, or adds it to doctor->checks.
 *
 * @mend: how to fix it; may be NULL, but not for DOCTOR_FAIL
 * @format: what was found
 */
void doctor_say(struct doctor *doctor, enum doctor_level level, const char *subject, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns the first word of a line. */
const char *doctor_level_name(enum doctor_level level);

/* Returns the roles in @names ("node,submit") as bits; 0 if a name is unknown. */
unsigned int doctor_role_parse(const char *names);

/* Returns the name that doctor_role_parse() knows. */
const char *doctor_role_name(enum doctor_role role);

/*
 * Guesses the roles of this host as bits, from Slurm's daemons or from installed programs.
 *
 * @why: receives the reason
 */
unsigned int doctor_role_guess(char *why, size_t size);

/*
 * Finds the program file of the running slurmd.
 * Returns false if no slurmd runs, or if several slurmds have different files.
 */
bool doctor_role_slurmd(char path[PATH_MAX]);

/* What users need to do with a file. */
enum doctor_use {
	DOCTOR_READ = 4,
	DOCTOR_RUN = 5,  /* a program: read and execute */
	DOCTOR_LIST = 5, /* a directory: list its files */
};

/*
 * Checks a file that users and root use, and the path to it. Users must be able to use the file, and only root may
 * change it. Prints only what is wrong. Does not repeat a finding about a common part of two paths.
 *
 * @level: level of the finding that users cannot use the file
 */
void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path, enum doctor_use use);

/* Writes the path of a program that users do not start themselves. Returns @path. */
const char *doctor_program_path(const char *name, char path[PATH_MAX]);

/* Checks the programs that stint starts on hosts with these roles. Prints only what is wrong. */
void doctor_programs(struct doctor *doctor);

/*
 * Runs stint-site for the checks of the store's host, because stint is not linked with a database.
 *
 * @site: path of site.conf; may be NULL
 * @config: path of stint.conf; may be NULL
 */
void doctor_store(struct doctor *doctor, const char *site, const char *config);

/* Checks what stint needs from the kernel: BTF, bpffs, rights, cgroups. */
void doctor_kernel(struct doctor *doctor);

/* Checks Slurm's settings for the roles of this host. */
void doctor_slurm(struct doctor *doctor);

/*
 * Checks the plugin and its line in the plugstack file @path.
 *
 * @conf: text of slurm.conf
 */
void doctor_plugin(struct doctor *doctor, const char *path, const char *conf);

/* Checks stintd: its directories, socket and kernel programs. */
void doctor_daemon(struct doctor *doctor);

/* Checks if the store's user can write to the store. Needs root. */
void doctor_store_dir(struct doctor *doctor);

/*
 * Prints what waits on this node: node records and store lines.
 *
 * @store_fails: the store accepts no lines
 */
void doctor_waiting(struct doctor *doctor, bool store_fails);

#endif
