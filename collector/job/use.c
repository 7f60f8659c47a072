/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/use.h"

#include <stdio.h>
#include <string.h>

#include "common/json_writer.h"

_Static_assert(ABI_USE_OF_WAIT(WAIT_SLEEP) == USE_SLEEP, "waits and their sums have one order");

static const char *const names[USES] = {
#define USE_NAME(name, in_record, ...) [USE_##name] = #in_record,
	SUM_LIST(USE_NAME)
#undef USE_NAME
};

const char *use_name(unsigned int use)
{
	return names[use];
}

const char *use_wait_name(unsigned int wait, char text[32])
{
	const char *name = names[ABI_USE_OF_WAIT(wait)];

	snprintf(text, 32, "%.*s", (int)(strlen(name) - strlen("_ns")), name);
	return text;
}

int64_t use_positive(uint64_t value)
{
	return (int64_t)value > 0 ? (int64_t)value : 0;
}

static const struct {
	const char *gap;
	enum use use;
} parts[] = {
	{ "used.socket_tx_bytes", USE_SOCKET_TX_BYTES },
	{ "used.socket_tx_bytes", USE_TCP_TX_BYTES },
	{ "used.socket_tx_bytes", USE_TCP_TX_OPS },
	{ "used.socket_tx_bytes", USE_UDP_TX_BYTES },
	{ "used.socket_tx_bytes", USE_UDP_TX_OPS },
	{ "used.socket_tx_bytes", USE_UNIX_TX_BYTES },
	{ "used.socket_tx_bytes", USE_UNIX_TX_OPS },
	{ "used.socket_rx_bytes", USE_SOCKET_RX_BYTES },
	{ "used.socket_rx_bytes", USE_TCP_RX_BYTES },
	{ "used.socket_rx_bytes", USE_TCP_RX_OPS },
	{ "used.socket_rx_bytes", USE_UDP_RX_BYTES },
	{ "used.socket_rx_bytes", USE_UDP_RX_OPS },
	{ "used.socket_rx_bytes", USE_UNIX_RX_BYTES },
	{ "used.socket_rx_bytes", USE_UNIX_RX_OPS },
	{ "used.network.tcp.retransmits", USE_TCP_RETRANSMITS },
	{ "used.reclaim_s", USE_RECLAIMS },
	{ "used.reclaim_s", USE_RECLAIM },
};

void use_mark_uncounted(const char *name, bool uncounted[USES])
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].gap, name) == 0)
			uncounted[parts[i].use] = true;
}

void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES])
{
	for (unsigned int i = 0; i < count; i++) {
		int64_t value = use_positive(use[i]);

		if (uncounted[i])
			put_new_value(object, names[i], NULL);
		else if (value)
			put_new_count(object, names[i], value);
	}
	put_new_count(object, SUM_REST, count);
}
