/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/sums.h"

#include <stdio.h>

#include "reports/field.h"
#include "reports/gaps.h"

static const struct name {
	const char *record, *report;
	enum sum_place place;
	bool seconds; /* nanoseconds in the record; else both count the same */
	bool told;    /* of each entry of the timeline, too */
} names[SUMS] = {
	[SUM_CPU] = { "cpu_ns", "cpu_s", SUM_IN_USED, true, true },
	[SUM_READ_BYTES] = { "read_bytes", "read_bytes", SUM_IN_USED, false, true },
	[SUM_WRITE_BYTES] = { "write_bytes", "write_bytes", SUM_IN_USED, false, true },
	[SUM_SYSCALL_READ_BYTES] = { "syscall_read_bytes", "syscall_read_bytes", SUM_IN_USED, false, true },
	[SUM_SYSCALL_WRITE_BYTES] = { "syscall_write_bytes", "syscall_write_bytes", SUM_IN_USED, false, true },
	[SUM_SYSCALL_READS] = { "syscall_reads", "syscall_reads", SUM_IN_USED, false, false },
	[SUM_SYSCALL_WRITES] = { "syscall_writes", "syscall_writes", SUM_IN_USED, false, false },
	[SUM_ASYNC_READ_BYTES] = { "async_read_bytes", "async_read_bytes", SUM_IN_USED, false, false },
	[SUM_ASYNC_WRITE_BYTES] = { "async_write_bytes", "async_write_bytes", SUM_IN_USED, false, false },
	[SUM_SOCKET_RX_BYTES] = { "socket_rx_bytes", "socket_rx_bytes", SUM_IN_USED, false, true },
	[SUM_SOCKET_TX_BYTES] = { "socket_tx_bytes", "socket_tx_bytes", SUM_IN_USED, false, true },
	[SUM_MINOR_FAULTS] = { "minor_faults", "minor_faults", SUM_IN_USED, false, false },
	[SUM_MAJOR_FAULTS] = { "major_faults", "major_faults", SUM_IN_USED, false, false },
	[SUM_RECLAIMS] = { "reclaims", "reclaims", SUM_IN_USED, false, false },
	[SUM_RECLAIM] = { "reclaim_ns", "reclaim_s", SUM_IN_USED, true, false },
	[SUM_VOLUNTARY_SWITCHES] = { "voluntary_switches", "voluntary_switches", SUM_IN_USED, false, false },
	[SUM_INVOLUNTARY_SWITCHES] = { "involuntary_switches", "involuntary_switches", SUM_IN_USED, false, false },
	[SUM_ON_CPU] = { "on_cpu_ns", "on_cpu_s", SUM_IN_STATES, true, true },
	[SUM_RUNNABLE] = { "runnable_ns", "runnable_s", SUM_IN_STATES, true, true },
	[SUM_MEMORY_STALL] = { "memory_stall_ns", "memory_stall_s", SUM_IN_STATES, true, true },
	[SUM_FAULT_IO] = { "fault_io_ns", "fault_io_s", SUM_IN_STATES, true, true },
	[SUM_FILE_IO] = { "file_io_ns", "file_io_s", SUM_IN_STATES, true, true },
	[SUM_NETWORK] = { "network_ns", "network_s", SUM_IN_STATES, true, true },
	[SUM_PIPE] = { "pipe_ns", "pipe_s", SUM_IN_STATES, true, true },
	[SUM_LOCK] = { "lock_ns", "lock_s", SUM_IN_STATES, true, true },
	[SUM_CHILD] = { "child_ns", "child_s", SUM_IN_STATES, true, true },
	[SUM_EVENT] = { "event_ns", "event_s", SUM_IN_STATES, true, true },
	[SUM_SLEEP] = { "sleep_ns", "sleep_s", SUM_IN_STATES, true, true },
	[SUM_OTHER] = { "other_ns", "other_s", SUM_IN_STATES, true, true },
	[SUM_LIFETIME] = { "lifetime_ns", "lifetime_s", SUM_IN_STATES, true, false },
	[SUM_TCP_RX_BYTES] = { "tcp_rx_bytes", "rx_bytes", SUM_IN_TCP, false, false },
	[SUM_TCP_TX_BYTES] = { "tcp_tx_bytes", "tx_bytes", SUM_IN_TCP, false, false },
	[SUM_TCP_RX_OPS] = { "tcp_rx_ops", "rx_ops", SUM_IN_TCP, false, false },
	[SUM_TCP_TX_OPS] = { "tcp_tx_ops", "tx_ops", SUM_IN_TCP, false, false },
	[SUM_TCP_RETRANSMITS] = { "tcp_retransmits", "retransmits", SUM_IN_TCP, false, false },
	[SUM_UDP_RX_BYTES] = { "udp_rx_bytes", "rx_bytes", SUM_IN_UDP, false, false },
	[SUM_UDP_TX_BYTES] = { "udp_tx_bytes", "tx_bytes", SUM_IN_UDP, false, false },
	[SUM_UDP_RX_OPS] = { "udp_rx_ops", "rx_ops", SUM_IN_UDP, false, false },
	[SUM_UDP_TX_OPS] = { "udp_tx_ops", "tx_ops", SUM_IN_UDP, false, false },
	[SUM_UNIX_RX_BYTES] = { "unix_rx_bytes", "rx_bytes", SUM_IN_UNIX, false, false },
	[SUM_UNIX_TX_BYTES] = { "unix_tx_bytes", "tx_bytes", SUM_IN_UNIX, false, false },
	[SUM_UNIX_RX_OPS] = { "unix_rx_ops", "rx_ops", SUM_IN_UNIX, false, false },
	[SUM_UNIX_TX_OPS] = { "unix_tx_ops", "tx_ops", SUM_IN_UNIX, false, false },
	[SUM_USER] = { "user_ns", NULL, SUM_NOWHERE, true, false },
	[SUM_SYSTEM] = { "system_ns", NULL, SUM_NOWHERE, true, false },
	[SUM_PROCESSES] = { "processes", "processes", SUM_IN_TOTALS, false, false },
	[SUM_OOM_KILLS] = { "oom_kills", "oom_kills", SUM_IN_TOTALS, false, false },
};

void sum_add(struct sum *sum, struct json_object *json, const char *name, const char *node)
{
	int64_t value;

	if (field_count(json, name, &value)) {
		sum->value = count_sum(sum->value, value);
		sum->known++;
	} else if (!sum->lacking) {
		sum->lacking = node;
	}
}

void sums_add(struct sums *sums, struct json_object *json, const char *node)
{
	sums->parts++;
	for (size_t i = 0; i < SUMS; i++)
		sum_add(&sums->of[i], json, names[i].record, node);
}

void sums_join(struct sums *sums, const struct sums *other)
{
	sums->parts += other->parts;
	for (size_t i = 0; i < SUMS; i++) {
		struct sum *sum = &sums->of[i];

		sum->value = count_sum(sum->value, other->of[i].value);
		sum->known += other->of[i].known;
		if (!sum->lacking)
			sum->lacking = other->of[i].lacking;
	}
}

bool sums_known(const struct sums *sums, enum sum_id id)
{
	return sums->parts > 0 && sums->of[id].known == sums->parts;
}

static void put(struct json_object *out, const struct name *name, int64_t value)
{
	if (name->seconds)
		put_new_seconds(out, name->report, value);
	else
		put_new_count(out, name->report, value);
}

void sums_put(const struct sums *sums, enum sum_place place, struct json_object *out)
{
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == place && sums_known(sums, i))
			put(out, &names[i], sums->of[i].value);
}

void sums_put_object(const struct sums *sums, enum sum_place place, struct json_object *out, const char *name)
{
	cleanup_json struct json_object *object = json_object_new_object();

	sums_put(sums, place, object);
	if (json_object_object_length(object) > 0)
		put_copy(out, name, object);
}

/* Puts what the record says of @name, unless it is nothing, or zero and that is not to be told. */
static void copy(struct json_object *json, const struct name *name, struct json_object *out, bool zero_told)
{
	struct json_object *number = field_typed(json, name->record, json_type_int);
	int64_t value = number ? json_object_get_int64(number) : -1;

	if (value < 0 || (value == 0 && !zero_told))
		return;
	if (name->seconds)
		put_new_seconds(out, name->report, value);
	else
		put_new_same(out, name->report, number);
}

void sums_copy_used(struct json_object *json, struct json_object *out)
{
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == SUM_IN_USED && names[i].told)
			copy(json, &names[i], out, true);
}

void sums_copy_states(struct json_object *json, struct json_object *out)
{
	struct json_object *states;

	if (!field_find(json, names[SUM_ON_CPU].record))
		return;
	states = put_object(out, "states");
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == SUM_IN_STATES && names[i].told)
			copy(json, &names[i], states, false);
}

void sum_gap(struct json_object *gaps, const char *prefix, const char *name, unsigned int parts, const char *node)
{
	static const char reason[] = "the node record does not tell it";
	char full[128];

	if (!gaps)
		return;
	snprintf(full, sizeof(full), "%s%s%s", prefix, name ? "." : "", name ? name : "");
	if (gaps_have(gaps, full))
		return;
	if (parts > 1 && node)
		gaps_addf(gaps, full, "%s: %s", node, reason);
	else
		gaps_add(gaps, full, reason);
}

void sums_put_split(const struct sums *sums, enum sum_id whole, struct json_object *out, struct json_object *gaps,
		    const char *prefix)
{
	double user = sums->of[SUM_USER].value, system = sums->of[SUM_SYSTEM].value;
	int64_t all_ns = sums->of[whole].value, user_ns;
	char full[128];

	if (!sums_known(sums, whole) || !sums_known(sums, SUM_USER) || !sums_known(sums, SUM_SYSTEM)) {
		const char *node = sums->of[SUM_USER].lacking ? sums->of[SUM_USER].lacking : sums->of[whole].lacking;

		sum_gap(gaps, prefix, "user_s", sums->parts, node);
		sum_gap(gaps, prefix, "system_s", sums->parts, node);
		return;
	}
	if (user + system <= 0) {
		static const char *const halves[] = { "user_s", "system_s" };

		for (size_t i = 0; gaps && i < 2; i++) {
			snprintf(full, sizeof(full), "%s.%s", prefix, halves[i]);
			if (!gaps_have(gaps, full))
				gaps_add(gaps, full, "no tick of the kernel's clock fell into the job's processes: "
						     "too short to share out");
		}
		return;
	}
	user_ns = (double)all_ns * (user / (user + system));
	if (user_ns > all_ns)
		user_ns = all_ns;
	put_seconds(out, "user_s", user_ns);
	put_seconds(out, "system_s", all_ns - user_ns);
}

static bool none_known(const struct sums *sums, enum sum_place place)
{
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == place && sums_known(sums, i))
			return false;
	return true;
}

void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct json_object *gaps,
	       const char *prefix)
{
	bool whole = group && none_known(sums, place);

	if (!gaps || (group && gaps_have(gaps, prefix)))
		return;
	for (size_t i = 0; i < SUMS; i++) {
		if (names[i].place != place || sums_known(sums, i))
			continue;
		sum_gap(gaps, prefix, whole ? NULL : names[i].report, sums->parts, sums->of[i].lacking);
		if (whole)
			return;
	}
}

void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct json_object *gaps, const char *prefix)
{
	const char *whole = place == SUM_IN_STATES ? "states" : "used";
	char full[64];

	if (gaps_have(gaps, whole))
		return;
	for (size_t i = 0; i < SUMS; i++) {
		if (names[i].place != place || sums_known(sums, i))
			continue;
		snprintf(full, sizeof(full), "%s.%s", whole, names[i].report);
		if (!gaps_have(gaps, full))
			sum_gap(gaps, prefix, names[i].report, sums->parts, sums->of[i].lacking);
	}
}
