/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of stint doctor on the host of the store. stint-site makes them, because it knows site.conf and the
 * database. Each check reports a finding by doctor_say(), and says how to fix what is wrong.
 */
#ifndef STINT_SITE_DOCTOR_H
#define STINT_SITE_DOCTOR_H

#include "reports/database/database.h"
#include "reports/doctor/doctor.h"
#include "reports/ingest/site_conf.h"

#define SITE_DOCTOR_MEND (2 * PATH_MAX + 512)

/* What the checks know of each other. */
struct site_doctor {
	struct doctor *doctor; /* its conf is stint.conf */
	const char *path;      /* of site.conf; NULL for the default path */
	struct site_conf conf;
	char user[256]; /* who runs stint ingest, and owns the batches */
	uid_t uid;
	bool has_user; /* whether that user exists */
	struct database *db; /* NULL if it cannot be read */
	int64_t now_us, looked_us, ingested_us, reconciled_us; /* microseconds since 1970; 0 if not known */
	bool systemd;    /* whether it runs here */
	int64_t pass_us; /* how often stint ingest should look */
};

/* Makes all checks. */
void site_doctor_look(struct site_doctor *site);

/* Writes the command @command, run as the store's user. Returns @text. */
const char *site_doctor_as_user(const struct site_doctor *site, const char *command, char text[SITE_DOCTOR_MEND]);

/* Writes how to do the work of @unit, which runs @command, at once, and where to read why it fails. Returns @text. */
const char *site_doctor_start(const struct site_doctor *site, const char *unit, const char *command, char text[SITE_DOCTOR_MEND]);

/* Returns true if stint ingest has not looked for batches for so long that something must be wrong. */
bool site_doctor_is_late(const struct site_doctor *site, int64_t since_us);

/* Reads and checks site.conf. Returns false if nothing else can be checked. */
bool site_doctor_conf(struct site_doctor *site);

/* Opens the database, and reads when the store's work was last done. */
void site_doctor_open(struct site_doctor *site);

/* Checks systemd's timers, if systemd runs here, and learns how often they start stint ingest. */
void site_doctor_timers(struct site_doctor *site);

/* Checks the database and what it says about the work of stint ingest. */
void site_doctor_database(struct site_doctor *site);

/* Checks the directory to which the nodes write, and what waits there; and the archive. */
void site_doctor_batches(struct site_doctor *site);

/* Checks how much space the file systems of the database, the archive and the store have. */
void site_doctor_space(struct site_doctor *site);

#endif
