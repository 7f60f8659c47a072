/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the host of the store for stint doctor. stint-site makes these checks, because it can read site.conf and the
 * database.
 */
#ifndef STINT_SITE_DOCTOR_H
#define STINT_SITE_DOCTOR_H

#include "reports/database/database.h"
#include "reports/doctor/doctor.h"
#include "reports/ingest/site_conf.h"

#define SITE_DOCTOR_MEND (2 * PATH_MAX + 512)

/* Filled and used by the checks. */
struct site_doctor {
	struct doctor *doctor; /* its conf is stint.conf */
	const char *path;      /* of site.conf; NULL: the default */
	struct site_conf conf;
	char user[256]; /* runs stint ingest, and owns the batches */
	uid_t uid;
	bool has_user; /* the user exists */
	struct database *db; /* NULL: cannot be read */
	/*
	 * when stint ingest last looked for batches, last ingested a batch, and last compared with Slurm; in us since
	 * 1970, 0: not known
	 */
	int64_t now_us, looked_us, ingested_us, reconciled_us;
	bool systemd;    /* runs here */
	int64_t pass_us; /* interval of stint ingest */
};

void site_doctor_look(struct site_doctor *site);

/* Writes the command to run @command as the store's user. Returns @text. */
const char *site_doctor_as_user(const struct site_doctor *site, const char *command, char text[SITE_DOCTOR_MEND]);

/*
 * Writes how to start @unit, and where to see its errors. Without systemd, writes how to run @command. Returns @text.
 */
const char *site_doctor_start(const struct site_doctor *site, const char *unit, const char *command, char text[SITE_DOCTOR_MEND]);

/* Returns true if @since_us is too long ago. Returns false for 0. */
bool site_doctor_is_late(const struct site_doctor *site, int64_t since_us);

/* Checks site.conf. Returns false if this prevents all other checks. */
bool site_doctor_conf(struct site_doctor *site);

/* Opens the database, and reads the times of stint ingest. */
void site_doctor_open(struct site_doctor *site);

/* Checks systemd's timers. Sets site->pass_us. */
void site_doctor_timers(struct site_doctor *site);

/* Checks the database, and the times of stint ingest in it. */
void site_doctor_database(struct site_doctor *site);

/* Checks the archive, the store's directory, and the batches that wait there. */
void site_doctor_batches(struct site_doctor *site);

/* Checks the free space of the store's file systems. */
void site_doctor_space(struct site_doctor *site);

#endif
