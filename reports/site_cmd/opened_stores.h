/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stores that stint-site reads. */
#ifndef STINT_OPENED_STORES_H
#define STINT_OPENED_STORES_H

#include <stdbool.h>

#include "reports/stores/site_stores.h"

#define REBUILDING "the store lacks jobs: 'stint ingest --rebuild' is running, or did not finish"

extern struct site_stores opened_stores;
extern struct error opened_error; /* why no store can be read; empty if a store can be read */

/* Returns the path of site.conf from the option --site; NULL without this option. */
const char *opened_stores_site(int argc, char *argv[]);

/*
 * Opens the stores of the site that the arguments name.
 *
 * @cluster, @first: as for site_stores_open()
 */
void opened_stores_open(int argc, char *argv[], const char *cluster, const char *first);

/* Returns whether one of the stores is being rebuilt. Such a store lacks jobs until the rebuild is over. */
bool opened_stores_rebuilding(void);

#endif
