/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the host of the store for stint doctor. stint-site makes these checks, because it can read site.conf and
 * the database. Each check calls doctor_say() with what it found and how to fix what is wrong.
 */
#ifndef STINT_SITE_DOCTOR_H
#define STINT_SITE_DOCTOR_H

#include "reports/database/database.h"
#include "reports/doctor/doctor.h"
#include "reports/ingest/site_conf.h"

#define SITE_DOCTOR_MEND (2 * PATH_MAX + 512)

/* What the checks share. Earlier checks fill it for later ones. */
struct site_doctor {
	struct doctor *doctor; /* its conf is stint.conf */
	const char *path;      /* path of site.conf; NULL for the default path */
	struct site_conf conf;
	char user[256]; /* the user who runs stint ingest and owns the batches */
	uid_t uid;
	bool has_user; /* whether that user exists */
	struct database *db; /* NULL if the database cannot be read */
	/*
	 * when stint ingest last looked for batches, ingested one, and compared with Slurm; microseconds since
	 * 1970, 0 if not known
	 */
	int64_t now_us, looked_us, ingested_us, reconciled_us;
	bool systemd;    /* whether it runs here */
	int64_t pass_us; /* the interval at which stint ingest should look for batches */
};

/* Makes all checks. */
void site_doctor_look(struct site_doctor *site);

/* Writes @command in the form in which this user must type it to run it as the store's user. Returns @text. */
const char *site_doctor_as_user(const struct site_doctor *site, const char *command, char text[SITE_DOCTOR_MEND]);

/*
 * Writes how to run @unit now, and where to read why it fails. Without systemd, writes how to run @command, which
 * @unit runs. Returns @text.
 */
const char *site_doctor_start(const struct site_doctor *site, const char *unit, const char *command, char text[SITE_DOCTOR_MEND]);

/*
 * Returns whether @since_us, such as the time when stint ingest last looked for batches, is so long ago that
 * something must be wrong. Returns false if it is 0.
 */
bool site_doctor_is_late(const struct site_doctor *site, int64_t since_us);

/* Reads and checks site.conf. Returns false if no other check is possible. */
bool site_doctor_conf(struct site_doctor *site);

/* Opens the database, and reads when stint ingest last looked, ingested a batch and compared with Slurm. */
void site_doctor_open(struct site_doctor *site);

/* If systemd runs here, checks its timers, and sets site->pass_us to how often they start stint ingest. */
void site_doctor_timers(struct site_doctor *site);

/* Checks the database, and when stint ingest last did its work according to the database. */
void site_doctor_database(struct site_doctor *site);

/* Checks the archive, the directory to which the nodes write, and the batches that wait there. */
void site_doctor_batches(struct site_doctor *site);

/* Checks how much space is free on the file systems of the database, the archive and the store's directory. */
void site_doctor_space(struct site_doctor *site);

#endif
