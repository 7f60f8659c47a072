/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of stint ingest. Both stint-site and stint have them, because stint shows the help if there is no stint-site. */
#ifndef STINT_INGEST_OPTIONS_H
#define STINT_INGEST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

struct ingest_options {
	const char *config, *site;
	bool rebuild, checksum, watch, reconcile;
};

/* Its input is a struct ingest_options. */
extern const struct argp ingest_argp;

#endif
