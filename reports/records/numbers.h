/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers that a node record has for a tool, a step or the whole job, indexed by enum number. They are looked up by
 * name once. A store line, which also stores them by index, attaches them to an object that has none by name.
 */
#ifndef STINT_NUMBERS_H
#define STINT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/sums.h"

/* Numbers after the sums that are not sums over threads, by their names in the record. */
#define NUMBER_LIST(X) \
	X(CPU_BEFORE, "cpu_before_ns") \
	X(THREADS_PEAK, "threads_peak") \
	X(MEMORY_SAMPLED, "memory_used_sampled_peak_bytes") \
	X(MEMORY_PROCESS, "memory_process_peak_bytes") \
	X(MEMORY_CHARGED, "memory_charged_peak_bytes") \
	X(MEMORY_SWAP, "memory_swap_sampled_peak_bytes") \
	X(MEMORY_LIMIT, "memory_limit_bytes") \
	X(RUNS, "runs") \
	X(FORKS, "forks") \
	X(FAILURES, "failures") \
	X(SIGNALS, "signals") \
	X(DISMISSED, "dismissed") \
	X(LIVING, "living") \
	X(WALL, "wall_ns") \
	X(PEAK, "peak_bytes") \
	X(USED_PEAK, "used_peak_bytes") \
	X(FIRST_START, "first_start_unix_ns") \
	X(LAST_END, "last_end_unix_ns") \
	X(OPENMP, "openmp_processes") \
	X(BLAS, "blas_processes")

/* enum sum_id is its first part. */
enum number {
	NUMBER_FIRST = SUMS - 1,
#define NUMBER_ENUM(name, in_record) NUMBER_##name,
	NUMBER_LIST(NUMBER_ENUM)
#undef NUMBER_ENUM
	NUMBERS
};

struct numbers {
	int64_t of[NUMBERS]; /* -1: not known */
};

/* Returns the name of @number, which may be a sum, in the record. */
const char *numbers_name(int number);

/* Sets all of @numbers to not known. */
void numbers_clear(struct numbers *numbers);

/*
 * Returns the numbers of @json: those attached to it, or else those that it has by name, in @room. All are not known if
 * @json is NULL.
 */
const struct numbers *numbers_of(struct json_object *json, struct numbers *room);

/* Reads one of them. Returns false, with *@value unchanged, if it is not known. */
bool numbers_count(struct json_object *json, int number, int64_t *value);

/* Attaches a copy of @numbers to @json, whose own numbers are then no longer read. If out of memory, attaches nothing. */
void numbers_attach(struct json_object *json, const struct numbers *numbers);

#endif
