/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says how old the data of the cluster's store are. */
#ifndef STINT_STORE_AGE_H
#define STINT_STORE_AGE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* All times are in microseconds since 1970; 0 if not known. */
struct store_age {
	int64_t now_us;
	int64_t ingested_us; /* when a batch of a node was last ingested */
	int64_t looked_us;   /* when stint ingest last looked at all batches that waited */
	int64_t newest_us;   /* the day on which the store's newest job ended */
	int64_t waiting;     /* how many batches wait in the store's directory; -1 if not known */
	char whose[256];     /* the clusters of this database, if it is the oldest of several; else empty */
};

/* Later than this, stint ingest no longer looks as often as its timer says. Then it matters what waits. */
#define STORE_AGE_LATE_US (INT64_C(15) * 60 * 1000000)

/*
 * Returns whether the data of a database are older than those of @other: one that stint ingest does not look at is older
 * than one that just gets no batches. If it is not known how old data are, others are taken to be older.
 */
bool store_age_is_older(const struct store_age *age, const struct store_age *other);

/*
 * Returns a sentence, which the caller must free. NULL if nothing is known, or if out of memory. It names more than
 * the last batch only if the data may lack something: if stint ingest does not look, if batches wait, or if no job
 * has ended for some days.
 */
char *store_age_sentence(const struct store_age *age);

/* Adds the member "store" to @to: an object. */
void store_age_put(const struct store_age *age, struct json_object *to);

#endif
