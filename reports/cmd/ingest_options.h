/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the options of stint ingest. stint-site uses them. stint uses them, too, so that it can show the help if
 * stint-site is not installed.
 */
#ifndef STINT_INGEST_OPTIONS_H
#define STINT_INGEST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

struct ingest_options {
	const char *config, *site;
	bool rebuild, checksum, watch, reconcile;
};

/* Parses the options into the struct ingest_options that is its input. */
extern const struct argp ingest_argp;

#endif
