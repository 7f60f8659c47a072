/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the options of stint ingest, for stint-site.
 * stint uses the parser for the help, if stint-site is not installed.
 */
#ifndef STINT_INGEST_OPTIONS_H
#define STINT_INGEST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

struct ingest_options {
	const char *config, *site;
	bool rebuild, checksum, watch, reconcile;
};

/* The input is a struct ingest_options. */
extern const struct argp ingest_argp;

#endif
