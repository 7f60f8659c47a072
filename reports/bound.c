/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/bound.h"

#include <math.h>
#include <string.h>

#include "reports/field.h"

#define TYPE_MAX 32 /* no file system of the kernel's has a longer name */

static const char *const words[] = {
	[BOUND_MEMORY] = "memory",
	[BOUND_OVERSUBSCRIBED] = "oversubscribed",
	[BOUND_CPU] = "cpu",
	[BOUND_FILE_IO] = "file-io",
	[BOUND_NETWORK] = "network",
	[BOUND_LOCK] = "lock",
	[BOUND_SERIAL] = "serial",
	[BOUND_IDLE] = "idle",
	[BOUND_MIXED] = "mixed",
	[BOUND_UNKNOWN] = "unknown",
};

const char *bound_word(enum bound bound)
{
	return words[bound];
}

bool bound_oversubscribed(const struct facts *facts)
{
	return facts->shares.cpu_wait >= fact_rule(facts, RULE_CROWD_WAIT) &&
	       facts->shares.busy_per_cpu >= fact_rule(facts, RULE_CROWD_BUSY) &&
	       facts->shares.active >= fact_rule(facts, RULE_CROWD_ACTIVE);
}

bool bound_crowded(const struct facts *facts)
{
	return bound_oversubscribed(facts) && facts->cores_unused > 0 &&
	       facts->shares.busy < fact_rule(facts, RULE_CROWD_BUSY) * facts->cpus_per_node;
}

double bound_share(const struct facts *facts, enum bound bound)
{
	switch (bound) {
	case BOUND_MEMORY:
		return facts->shares.cause[CAUSE_MEMORY];
	case BOUND_OVERSUBSCRIBED:
		return facts->shares.cpu_wait;
	case BOUND_CPU:
		return facts->shares.cpu;
	case BOUND_FILE_IO:
		return facts->shares.cause[CAUSE_FILE_IO];
	case BOUND_NETWORK:
		return facts->shares.cause[CAUSE_NETWORK];
	case BOUND_LOCK:
		return facts->shares.cause[CAUSE_LOCK];
	case BOUND_SERIAL:
		return facts->shares.serial;
	case BOUND_IDLE:
		return facts->shares.cause[CAUSE_IDLE];
	case BOUND_MIXED:
		return facts->shares.on_cpu;
	case BOUND_UNKNOWN:
		break;
	}
	return NAN;
}

static bool reaches(const struct facts *facts, enum bound bound, enum rule rule)
{
	return bound_share(facts, bound) >= fact_rule(facts, rule);
}

/* The wait that took most of those that took enough. */
static enum bound largest_wait(const struct facts *facts)
{
	static const struct {
		enum bound bound;
		enum rule rule;
	} waits[] = {
		{ BOUND_FILE_IO, RULE_FILE_IO_SHARE },
		{ BOUND_NETWORK, RULE_NETWORK_SHARE },
		{ BOUND_LOCK, RULE_LOCK_SHARE },
	};
	enum bound largest = BOUND_UNKNOWN;

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (reaches(facts, waits[i].bound, waits[i].rule) &&
		    !(bound_share(facts, waits[i].bound) <= bound_share(facts, largest)))
			largest = waits[i].bound;
	return largest;
}

enum bound bound_find(const struct facts *facts)
{
	enum bound wait = largest_wait(facts);

	if (!(facts->time_s >= fact_rule(facts, RULE_LIVE_MIN)))
		return BOUND_UNKNOWN;
	if (reaches(facts, BOUND_MEMORY, RULE_MEMORY_SHARE))
		return BOUND_MEMORY;
	if (bound_oversubscribed(facts))
		return BOUND_OVERSUBSCRIBED;
	if (reaches(facts, BOUND_CPU, RULE_CPU_SHARE))
		return BOUND_CPU;
	if (wait != BOUND_UNKNOWN)
		return wait;
	if (reaches(facts, BOUND_SERIAL, RULE_SERIAL_SHARE))
		return BOUND_SERIAL;
	if (reaches(facts, BOUND_IDLE, RULE_IDLE_SHARE))
		return BOUND_IDLE;
	return isnan(facts->live_s) || isnan(facts->shares.cpu) ? BOUND_UNKNOWN : BOUND_MIXED;
}

struct json_object *bound_file_system(const struct facts *facts)
{
	struct json_object *list = field_typed(facts->report, "used.file_systems", json_type_array), *most = NULL;
	double most_s = 0;
	const char *type;

	/* Pages of mapped files: of which file system is not told. */
	if (facts->wait[FACT_FAULT_IO].thread_s > facts->wait[FACT_FILE_IO].thread_s)
		return NULL;
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		double wait_s = fact_number(one, "wait_s");

		if (wait_s > most_s) {
			most = one;
			most_s = wait_s;
		}
	}
	type = field_text(most, "type");
	return type && *type && strlen(type) < TYPE_MAX ? most : NULL;
}
