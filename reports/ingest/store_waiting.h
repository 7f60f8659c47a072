/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the batches that wait in the store's directory, and finds why those wait that stint ingest has refused. */
#ifndef STINT_STORE_WAITING_H
#define STINT_STORE_WAITING_H

#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/ingest/site_conf.h"

struct store_waiting {
	int64_t count, bytes;
	int64_t oldest_us; /* when the oldest was written; 0 if none waits */
};

/* How batches are judged that stint ingest should have taken. */
struct store_refusals {
	int64_t before_us;    /* only batches that were written before this time */
	uid_t owner;          /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches are taken */

	/* what was found */
	int64_t count;
	struct error first; /* why one of them is refused; empty if that is not known */
};

/*
 * Counts the files in @store_dir/new/HH that have the name of a batch. No directory new/ is no error: nothing waits.
 *
 * Returns 0; -1 with @err set.
 */
int store_waiting_count(const char *store_dir, struct store_waiting *waiting, struct error *err);

/*
 * Like store_waiting_count(), but waits for the file system only as long as a person would, and returns only how many
 * files wait; -1 if it sees none, or may not look.
 */
int64_t store_waiting_soon(const char *store_dir);

/* Finds the batches that stint ingest has seen, and left where they are. Returns as store_waiting_count() does. */
int store_waiting_refused(const char *store_dir, struct store_refusals *refusals, struct error *err);

#endif
