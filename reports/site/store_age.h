/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How old the data of the store are. */
#ifndef STINT_STORE_AGE_H
#define STINT_STORE_AGE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* In microseconds since 1970; 0 if not known. */
struct store_age {
	int64_t now_us;
	int64_t ingested_us; /* when stint ingest last read a batch into the store */
	int64_t looked_us;   /* when stint ingest last looked for batches */
	int64_t newest_us;   /* the day on which the newest job ended */
	int64_t waiting;     /* batches that wait; -1 if not known */
	char whose[256];     /* with several databases: the clusters of the database with the oldest data; else empty */
};

/* If stint ingest last looked longer ago, it does not look as often as its timer says, and batches may wait. */
#define STORE_AGE_LATE_US (INT64_C(15) * 60 * 1000000)

/*
 * Returns whether the data of @age are older than the data of @other. A database for which stint ingest no longer looks
 * counts as older than a database that only has no new batches. A known age counts as older than an unknown age.
 */
bool store_age_is_older(const struct store_age *age, const struct store_age *other);

/*
 * Returns a sentence, which the caller must free; NULL if nothing is known, or if out of memory. The sentence names the
 * last batch, and more only if the data may lack something.
 */
char *store_age_sentence(const struct store_age *age);

/* Adds the member "store" to @to: an object. */
void store_age_put(const struct store_age *age, struct json_object *to);

#endif
