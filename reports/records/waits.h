/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the job's threads on one node waited for: the "waits" of a record's PRESSURE, indexed by kind. As with numbers
 * (numbers.h), they are looked up by name, or attached by a store line.
 */
#ifndef STINT_WAITS_H
#define STINT_WAITS_H

#include <stdint.h>

#include <json-c/json.h>

/* In the report's order. */
enum wait_kind {
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_NETWORK,
	WAIT_PIPE,
	WAIT_LOCK,
	WAIT_CONDITION,
	WAIT_CHILD,
	WAIT_EVENT,
	WAIT_SLEEP,
	WAIT_OTHER,
	WAIT_KINDS
};

enum wait_measure { WAIT_SOME, WAIT_FULL, WAIT_BOUND, WAIT_COUNT, WAIT_MEASURES }; /* all are times, except the number of waits */

struct waits {
	int64_t of[WAIT_KINDS][WAIT_MEASURES]; /* -1: not known */
};

/* Returns the name of @kind in records and reports. */
const char *waits_name(enum wait_kind kind);

/* Sets all of @waits to not known. */
void waits_clear(struct waits *waits);

/*
 * Returns the waits of @json: those attached to it, or else those that it has by name, in @room. All are not known if
 * @json is NULL.
 */
const struct waits *waits_of(struct json_object *json, struct waits *room);

/* Attaches a copy of @waits to @json, whose own waits are then no longer read. If out of memory, attaches nothing. */
void waits_attach(struct json_object *json, const struct waits *waits);

#endif
