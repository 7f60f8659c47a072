/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes when the store's work was last done. The times are settings of the database, as RFC 3339. */
#ifndef STINT_MOMENTS_H
#define STINT_MOMENTS_H

#include <stdint.h>

#include "reports/database/database.h"

/*
 * When a batch of a node was last ingested. A rebuild uses the times when batches were sealed. The time never goes
 * back.
 */
#define MOMENT_INGESTED "ingested_at"
/* The day (UTC) on which the newest job ended. An exact time would tell readers about other users' jobs. */
#define MOMENT_NEWEST "newest_end_at"
/* When stint ingest last looked for batches. While there are no batches, it saves this time only once a minute. */
#define MOMENT_LOOKED "looked_at"
/* When --reconcile last compared all clusters. */
#define MOMENT_RECONCILED "reconciled_at"

/* Microseconds since 1970. */
int64_t moment_now(void);

/* Sets @us to the time @name in microseconds since 1970; 0 if not known. Returns 0; -1 with @err set. */
int moment_read(struct database *db, const char *name, int64_t *us, struct error *err);

/*
 * Saves the time @name in the open transaction.
 *
 * @us: microseconds since 1970; 0 if no longer known
 *
 * Returns 0; -1 with @err set.
 */
int moment_write(struct database *db, const char *name, int64_t us, struct error *err);

/* Like moment_write(), in a transaction of its own. */
int moment_write_alone(struct database *db, const char *name, int64_t us, struct error *err);

#endif
