/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says how old the data in the cluster's store are. */
#ifndef STINT_STORE_AGE_H
#define STINT_STORE_AGE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* All times are in microseconds since 1970; 0 if not known. */
struct store_age {
	int64_t now_us;
	int64_t ingested_us; /* when stint ingest last read a batch of a node into the store */
	int64_t looked_us;   /* when stint ingest last looked for batches in the store's directory */
	int64_t newest_us;   /* the day on which the store's newest job ended */
	int64_t waiting;     /* how many batches wait in the store's directory; -1 if not known */
	char whose[256];     /* if there are several databases, the clusters of the oldest one, which this is; otherwise empty */
};

/*
 * If stint ingest last looked longer ago than this, it does not look as often as its timer says. Then
 * batches may wait, so the sentence says how many.
 */
#define STORE_AGE_LATE_US (INT64_C(15) * 60 * 1000000)

/*
 * Returns whether the data of the database @age are older than those of @other. A database for which
 * stint ingest does not look for batches counts as older than one for which it looks but finds none. A
 * database whose age is known counts as older than one whose age is not known.
 */
bool store_age_is_older(const struct store_age *age, const struct store_age *other);

/*
 * Returns a sentence about the age of the data, which the caller must free. Returns NULL if nothing is
 * known, or if out of memory. The sentence says when the last batch came. It says more only if the
 * data may lack something: if stint ingest does not look for batches, if no batch has come for a
 * while, if batches wait, or if no job has ended for some days.
 */
char *store_age_sentence(const struct store_age *age);

/* Adds the member "store" to @to: an object. */
void store_age_put(const struct store_age *age, struct json_object *to);

#endif
