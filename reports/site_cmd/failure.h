/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says on standard error why stint ingest failed. */
#ifndef STINT_FAILURE_H
#define STINT_FAILURE_H

#include "reports/ingest/site_conf.h"

#define WHO "stint ingest"
#define LOCKED "another 'stint ingest' is working on this database"

extern char failure_who[SITE_TEXT]; /* begins each message about the database */

/* A pipe to a parent that prints the failures; -1: failures are printed on standard error. */
extern int failure_fd;

#define FAILURE_OVER '+' /* the byte that failure_over() writes */

/* Prints @text as the reason of a failure. Returns EXIT_FAILURE. */
int fail(const char *text);

/* Tells the parent that the work succeeds now. */
void failure_over(void);

/*
 * Says that another process works on the database. Returns EXIT_SUCCESS, because that process does the work.
 * If failure_fd is a pipe to a parent, returns EXIT_FAILURE, so that the parent tries again.
 */
int say_busy(void);

#endif
