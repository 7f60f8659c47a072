/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What adds up over nodes: what threads used and waited for, with the names of
 * the node record (docs/record.md, USE) and those of the report.
 *
 * A sum that not every part told is not known: what is missing is never zero.
 */
#ifndef STINT_SUMS_H
#define STINT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

struct sum {
	int64_t value;
	unsigned int known;  /* by how many parts */
	const char *lacking; /* node of the first part that did not tell; borrowed */
};

/* In the report's order; the names stand in sums.c. */
enum sum_id {
	SUM_CPU,
	SUM_READ_BYTES,
	SUM_WRITE_BYTES,
	SUM_SYSCALL_READ_BYTES,
	SUM_SYSCALL_WRITE_BYTES,
	SUM_SYSCALL_READS,
	SUM_SYSCALL_WRITES,
	SUM_ASYNC_READ_BYTES,
	SUM_ASYNC_WRITE_BYTES,
	SUM_SOCKET_RX_BYTES,
	SUM_SOCKET_TX_BYTES,
	SUM_MINOR_FAULTS,
	SUM_MAJOR_FAULTS,
	SUM_RECLAIMS,
	SUM_RECLAIM,
	SUM_VOLUNTARY_SWITCHES,
	SUM_INVOLUNTARY_SWITCHES,
	SUM_ON_CPU,
	SUM_RUNNABLE,
	SUM_MEMORY_STALL,
	SUM_FAULT_IO,
	SUM_FILE_IO,
	SUM_NETWORK,
	SUM_PIPE,
	SUM_LOCK,
	SUM_CHILD,
	SUM_EVENT,
	SUM_SLEEP,
	SUM_OTHER,
	SUM_LIFETIME,
	SUM_TCP_RX_BYTES,
	SUM_TCP_TX_BYTES,
	SUM_TCP_RX_OPS,
	SUM_TCP_TX_OPS,
	SUM_TCP_RETRANSMITS,
	SUM_UDP_RX_BYTES,
	SUM_UDP_TX_BYTES,
	SUM_UDP_RX_OPS,
	SUM_UDP_TX_OPS,
	SUM_UNIX_RX_BYTES,
	SUM_UNIX_TX_BYTES,
	SUM_UNIX_RX_OPS,
	SUM_UNIX_TX_OPS,
	SUM_USER,
	SUM_SYSTEM,
	SUM_PROCESSES,
	SUM_OOM_KILLS,
	SUMS
};

/* Which part of the report a sum stands in. */
enum sum_place {
	SUM_IN_USED,
	SUM_IN_STATES,
	SUM_IN_TCP,
	SUM_IN_UDP,
	SUM_IN_UNIX,
	SUM_IN_TOTALS, /* of a job or step alone, and no tool's */
	SUM_NOWHERE,   /* sampled; good for a ratio only */
};

struct sums {
	unsigned int parts;
	struct sum of[SUMS];
};

/*
 * Takes the whole number @name of @json, a part of node @node, into @sum.
 */
void sum_add(struct sum *sum, struct json_object *json, const char *name, const char *node);

/*
 * Takes all of one part's sums in. @json may be NULL: a part that told none.
 */
void sums_add(struct sums *sums, struct json_object *json, const char *node);

/*
 * As sums_add(), with what other parts' sums are already.
 */
void sums_join(struct sums *sums, const struct sums *other);

/*
 * Returns true when every part told it.
 */
bool sums_known(const struct sums *sums, enum sum_id id);

/*
 * Puts into @out what is known of the sums of @place.
 */
void sums_put(const struct sums *sums, enum sum_place place, struct json_object *out);

/*
 * As sums_put(), into an object of its own that is put as @name unless it is empty.
 */
void sums_put_object(const struct sums *sums, enum sum_place place, struct json_object *out, const char *name);

/*
 * Puts into @out what @json, an entry of a record's timeline, used; and as states those that it was
 * in, unless the record tells of none.
 */
void sums_copy_used(struct json_object *json, struct json_object *out);
void sums_copy_states(struct json_object *json, struct json_object *out);

/*
 * Puts user_s and system_s into @out: the exact time @whole, shared out as the
 * kernel's tick found the threads. What is not known is named in @gaps (may be
 * NULL) as PREFIX.NAME.
 */
void sums_put_split(const struct sums *sums, enum sum_id whole, struct json_object *out, struct json_object *gaps,
		    const char *prefix);

/*
 * Names in @gaps (may be NULL) what is not known of @place, as PREFIX.NAME; where nothing
 * of it is known and @group is true, as PREFIX alone.
 */
void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct json_object *gaps,
	       const char *prefix);

/*
 * As sums_gaps(), of a part of the job, say a step: what is not known of the job itself has been named.
 */
void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct json_object *gaps, const char *prefix);

/*
 * Names PREFIX.NAME in @gaps (may be NULL), unless it is there: a node that
 * could not measure it said more about it.
 *
 * @name: NULL: PREFIX alone
 * @parts, @node: how many there were, and the first that did not tell
 */
void sum_gap(struct json_object *gaps, const char *prefix, const char *name, unsigned int parts, const char *node);

#endif
