/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the store's work was last done. These are settings of the database, so each of its readers can see them. Their
 * text is RFC 3339, for people who ask the database itself.
 */
#ifndef STINT_MOMENTS_H
#define STINT_MOMENTS_H

#include <stdint.h>

#include "reports/database/database.h"

/*
 * When a batch of a node was last ingested; set in the transaction that takes it. A rebuild reads old batches again, so
 * it takes the time at which the newest of them was sealed, if that is later.
 */
#define MOMENT_INGESTED "ingested_at"
/* The day (UTC) on which the newest job of the store ended: a day alone tells readers nothing about others' jobs. */
#define MOMENT_NEWEST "newest_end_at"
/* When stint ingest last looked at all batches that waited. While nothing happens, it is up to a minute late. */
#define MOMENT_LOOKED "looked_at"
/* When --reconcile last compared all clusters, with no failure. */
#define MOMENT_RECONCILED "reconciled_at"

/* Returns the time now in microseconds since 1970. */
int64_t moment_now(void);

/* Reads a moment, in microseconds since 1970; 0 if it is not known. Returns 0; -1 with @err set. */
int moment_read(struct database *db, const char *name, int64_t *us, struct error *err);

/* Stores a moment, in the open transaction. @us: 0 if it is not known any more. Returns 0; -1 with @err set. */
int moment_write(struct database *db, const char *name, int64_t us, struct error *err);

/* Like moment_write(), in a transaction of its own. */
int moment_write_alone(struct database *db, const char *name, int64_t us, struct error *err);

#endif
