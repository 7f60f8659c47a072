/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes when the store's work was last done. The times are settings of the database, so each reader of
 * the database can see them. They are text in the form of RFC 3339, for people who query the database themselves.
 */
#ifndef STINT_MOMENTS_H
#define STINT_MOMENTS_H

#include <stdint.h>

#include "reports/database/database.h"

/*
 * When a batch of a node was last ingested. It is set in the transaction that ingests the batch. A rebuild ingests
 * old batches again, so it uses the times when these were sealed instead. The stored time never goes back.
 */
#define MOMENT_INGESTED "ingested_at"
/*
 * The day (UTC) on which the newest job in the store ended. It is only a day, because a time would tell readers
 * something about other users' jobs.
 */
#define MOMENT_NEWEST "newest_end_at"
/* When stint ingest last looked at all waiting batches. If it finds none, it saves this only once a minute. */
#define MOMENT_LOOKED "looked_at"
/* When --reconcile last compared all clusters without a failure. */
#define MOMENT_RECONCILED "reconciled_at"

/* Returns the current time in microseconds since 1970. */
int64_t moment_now(void);

/*
 * Reads the time @name into @us, in microseconds since 1970. Sets it to 0 if it is not known. Returns 0; -1 with
 * @err set.
 */
int moment_read(struct database *db, const char *name, int64_t *us, struct error *err);

/*
 * Saves the time @name in the open transaction. Returns 0; -1 with @err set.
 *
 * @us: microseconds since 1970; 0 if the time is no longer known
 */
int moment_write(struct database *db, const char *name, int64_t us, struct error *err);

/* Does the same as moment_write(), but in its own transaction. */
int moment_write_alone(struct database *db, const char *name, int64_t us, struct error *err);

#endif
