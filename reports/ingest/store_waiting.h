/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the batches that wait in the store's directory, and finds why stint ingest has refused some of them.
 */
#ifndef STINT_STORE_WAITING_H
#define STINT_STORE_WAITING_H

#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/ingest/site_conf.h"

struct store_waiting {
	int64_t count, bytes;
	int64_t oldest_us; /* when the oldest batch was written; 0 if none waits */
};

/* Which batches stint ingest should have ingested, and why it did not. */
struct store_refusals {
	int64_t before_us;    /* count only batches that were written before this time */
	uid_t owner;          /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches to ingest */

	/* what was found */
	int64_t count;
	struct error first; /* why one of them is refused; empty if that is not known */
};

/*
 * Counts the files in @store_dir/new/HH whose names are those of batches. If there is no directory new/, nothing
 * waits.
 *
 * Returns 0; -1 with @err set.
 */
int store_waiting_count(const char *store_dir, struct store_waiting *waiting, struct error *err);

/*
 * Returns how many batches wait, like store_waiting_count(). But gives up if the file system does not answer soon,
 * because a user waits for the result. Returns -1 if it finds no batches, or if it may not read the directory.
 */
int64_t store_waiting_soon(const char *store_dir);

/*
 * Counts the batches that stint ingest has seen and left where they are, and finds the reason for one of them.
 * Return values are those of store_waiting_count().
 */
int store_waiting_refused(const char *store_dir, struct store_refusals *refusals, struct error *err);

#endif
