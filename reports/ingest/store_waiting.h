/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the batches that wait in the store's directory. Finds why stint ingest has refused some. */
#ifndef STINT_STORE_WAITING_H
#define STINT_STORE_WAITING_H

#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "reports/ingest/site_conf.h"

struct store_waiting {
	int64_t count, bytes;
	int64_t oldest_us; /* when the oldest batch was written; 0 if no batch waits */
};

/* Batches that should have been ingested, and the reason for one of them. */
struct store_refusals {
	int64_t before_us;    /* count only batches that were written before this time */
	uid_t owner;          /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches to ingest */

	int64_t count;
	struct error first; /* why one of these batches is refused; empty if the reason is not known */
};

/*
 * Counts the batches in @store_dir/new/HH. Without a directory new/, nothing waits.
 *
 * Returns 0; -1 with @err set.
 */
int store_waiting_count(const char *store_dir, struct store_waiting *waiting, struct error *err);

/*
 * Returns how many batches wait; -1 if no batch waits, or if the directory cannot be read. Gives up soon if the file
 * system hangs.
 */
int64_t store_waiting_soon(const char *store_dir);

/* Counts the batches that stint ingest has left, and finds the reason for one of them. Returns 0; -1 with @err set. */
int store_waiting_refused(const char *store_dir, struct store_refusals *refusals, struct error *err);

#endif
