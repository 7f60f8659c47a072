/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/node_ledger.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory/array.h"
#include "common/time_text.h"

enum { AT_CLUSTER, AT_BATCH, AT_NODE, AT_SEALED, AT_DROPPED = 6 };

struct delivery {
	int64_t sealed_us, dropped, sequence;
	uint64_t boot; /* a hash */
};

struct deliveries {
	struct delivery *list;
	size_t count;
	bool sorted;
};

/* Reads boot and sequence from NODE.BOOT.SEQUENCE.ndjson. Uses a hash of NODE.BOOT as the boot. */
static void read_name(const char *name, size_t size, struct delivery *one)
{
	int dots = 0;

	while (size && dots < 2)
		dots += name[--size] == '.';
	for (const char *at = name + size + 1; *at >= '0' && *at <= '9' && one->sequence < INT32_MAX; at++)
		one->sequence = one->sequence * 10 + *at - '0';
	one->boot = 14695981039346656037u;
	for (size_t i = 0; i < size; i++)
		one->boot = (one->boot ^ (unsigned char)name[i]) * 1099511628211u;
}

static bool add(struct deliveries *of, const struct delivery *one)
{
	if (!array_room(&of->list, of->count, sizeof(*of->list)))
		return false;
	of->list[of->count++] = *one;
	return true;
}

static int read_batch(void *context, const struct database_value *row, struct error *err)
{
	struct node_ledger *ledger = context;
	struct map_entry *entry;
	struct delivery one = { .dropped = row[AT_DROPPED].number };
	char sealed[TIME_TEXT];

	if (row[AT_CLUSTER].number != ledger->cluster || row[AT_SEALED].size >= sizeof(sealed))
		return 0;
	memcpy(sealed, row[AT_SEALED].data, row[AT_SEALED].size);
	sealed[row[AT_SEALED].size] = '\0';
	if (!time_parse(sealed, &one.sealed_us))
		return 0;
	read_name(row[AT_BATCH].data, row[AT_BATCH].size, &one);
	entry = map_get(&ledger->nodes, row[AT_NODE].data, row[AT_NODE].size);
	if (entry && !entry->data)
		entry->data = calloc(1, sizeof(struct deliveries));
	return entry && entry->data && add(entry->data, &one) ? 0 : error_set(err, "out of memory");
}

int node_ledger_read(struct node_ledger *ledger, struct database *db, int64_t cluster, struct error *err)
{
	ledger->cluster = cluster;
	return database_scan(db, &table_batch, 0, read_batch, ledger, err);
}

static int by_time(const void *a, const void *b)
{
	const struct delivery *one = a, *other = b;

	return one->sealed_us < other->sealed_us ? -1 : one->sealed_us > other->sealed_us;
}

static const struct deliveries *deliveries_of(struct node_ledger *ledger, const char *node)
{
	struct map_entry *entry = map_get(&ledger->nodes, node, strlen(node));
	struct deliveries *of = entry ? entry->data : NULL;

	if (of && !of->sorted) {
		qsort(of->list, of->count, sizeof(*of->list), by_time);
		of->sorted = true;
	}
	return of;
}

/* Returns whether a batch between these two batches was not delivered. */
static bool lacks_one(const struct delivery *before, const struct delivery *one)
{
	return before && before->boot == one->boot && one->sequence > before->sequence + 1;
}

enum missing_reason node_ledger_reason(struct node_ledger *ledger, const char *node, int64_t end_us)
{
	const struct deliveries *of = deliveries_of(ledger, node);
	const struct delivery *before = NULL, *last;
	bool lacks = false;
	size_t i = 0;

	if (!of)
		return MISSING_NO_STINT;
	for (; i < of->count && of->list[i].sealed_us < end_us; i++)
		before = &of->list[i];
	if (i == of->count)
		return MISSING_NOT_YET;
	last = before;
	/* lines that the node dropped more than LATE_S after the job's end belong to other jobs */
	for (; i < of->count && of->list[i].sealed_us - end_us <= LATE_S * US_PER_S; i++) {
		const struct delivery *one = &of->list[i];

		if (one->dropped > (before && before->boot == one->boot ? before->dropped : 0))
			return MISSING_DROPPED;
		lacks |= lacks_one(last, one);
		last = one;
	}
	return lacks ? MISSING_NOT_YET : MISSING_UNKNOWN;
}

void node_ledger_free(struct node_ledger *ledger)
{
	for (size_t i = 0; i < ledger->nodes.count; i++) {
		struct deliveries *of = ledger->nodes.list[i].data;

		if (of)
			free(of->list);
		free(of);
	}
	map_free(&ledger->nodes);
}
