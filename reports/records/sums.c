/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/sums.h"

#include <stddef.h>
#include <stdio.h>

#include "reports/json/field.h"
#include "reports/json/gaps.h"

/* Offset of a member in the structure of each place. */
#define OFFSET_IN_USED(name) offsetof(struct report_uses, name)
#define OFFSET_IN_STATES(name) offsetof(struct report_state_times, name)
#define OFFSET_IN_TCP(name) offsetof(struct report_traffic, name)
#define OFFSET_IN_UDP(name) offsetof(struct report_traffic, name)
#define OFFSET_IN_UNIX(name) offsetof(struct report_traffic, name)
#define OFFSET_NOWHERE(name) 0

static const struct name {
	const char *report; /* the name in the report */
	enum sum_place place;
	size_t offset;
} names[SUMS] = {
#define SUM_NAME(name, in_record, place, type, in_report, ...) [SUM_##name] = { #in_report, SUM_##place, OFFSET_##place(in_report) },
	SUM_LIST(SUM_NAME)
#undef SUM_NAME
	[SUM_PROCESSES] = { "processes", SUM_IN_TOTALS, 0 },
	[SUM_OOM_KILLS] = { "oom_kills", SUM_IN_TOTALS, 0 },
};

void sum_add_value(struct sum *sum, int64_t value, const char *node)
{
	if (value >= 0) {
		sum->value = count_sum(sum->value, value);
		sum->known++;
	} else if (!sum->lacking) {
		sum->lacking = node;
	}
}

_Static_assert(sizeof(struct record_use) == SUM_PROCESSES * sizeof(int64_t), "the sums lie in a row");
_Static_assert(sizeof(struct record_entry_use) == SUMS_OF_ENTRY * sizeof(int64_t), "so do those of an entry");

void sums_add_use(struct sums *sums, const struct record_use *use, const char *node)
{
	const int64_t *values = (const int64_t *)use;

	sums->parts++;
	for (size_t i = 0; i < SUM_PROCESSES; i++)
		sum_add_value(&sums->of[i], values[i], node);
}

void sums_add(struct sums *sums, const struct record_totals *totals, const char *node)
{
	sums_add_use(sums, &totals->use, node);
	sum_add_value(&sums->of[SUM_PROCESSES], totals->processes, node);
	sum_add_value(&sums->of[SUM_OOM_KILLS], totals->oom_kills, node);
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

int64_t sums_value(const struct sums *sums, enum sum_id id)
{
	return sums_known(sums, id) ? sums->of[id].value : REPORT_UNKNOWN;
}

static void put_sum(void *out, size_t id, int64_t value)
{
	*(int64_t *)((char *)out + names[id].offset) = value;
}

bool sums_put(const struct sums *sums, enum sum_place place, void *out)
{
	bool any = false;

	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == place && sums_known(sums, i)) {
			put_sum(out, i, sums->of[i].value);
			any = true;
		}
	return any;
}

void sums_copy_used(const struct record_entry_use *from, struct report_uses *uses)
{
	const int64_t *values = (const int64_t *)from;

	for (size_t i = 0; i < SUMS_OF_ENTRY; i++)
		if (names[i].place == SUM_IN_USED && values[i] >= 0)
			put_sum(uses, i, values[i]);
}

/* Leaves out zeros. */
void sums_copy_states(const struct record_entry_use *from, struct report_states *states)
{
	const int64_t *values = (const int64_t *)from;

	states->known = from->on_cpu_ns >= 0;
	for (size_t i = 0; states->known && i < SUMS_OF_ENTRY; i++)
		if (names[i].place == SUM_IN_STATES && values[i] > 0)
			put_sum(&states->state_times, i, values[i]);
}

void sum_gap(struct making *making, const char *prefix, const char *name, unsigned int parts, const char *node)
{
	static const char reason[] = "the node record does not have it";
	char full[128];

	if (!making->gaps)
		return;
	snprintf(full, sizeof(full), "%s%s%s", prefix, name ? "." : "", name ? name : "");
	if (making_has_gap(making, full))
		return;
	if (parts > 1 && node)
		making_gapf(making, full, "%s: %s", node, reason);
	else
		making_gap(making, full, reason);
}

/* A very short CPU time may have no tick of the kernel's clock. */
static void gap_of_half(struct making *making, const char *prefix, const char *half)
{
	char full[128];

	snprintf(full, sizeof(full), "%s.%s", prefix, half);
	if (!making_has_gap(making, full))
		making_gap(making, full, GAP_NO_TICK " fell into the job's processes: too short to share out");
}

struct sum_split sums_split(const struct sums *sums, enum sum_id whole, struct making *making, const char *prefix)
{
	const struct sum_split unknown = { { REPORT_UNKNOWN }, { REPORT_UNKNOWN } };
	double user = sums->of[SUM_USER].value, system = sums->of[SUM_SYSTEM].value, share;
	int64_t all_ns = sums->of[whole].value, user_ns;

	if (!sums_known(sums, whole) || !sums_known(sums, SUM_USER) || !sums_known(sums, SUM_SYSTEM)) {
		const char *node = sums->of[SUM_USER].lacking ? sums->of[SUM_USER].lacking : sums->of[whole].lacking;

		sum_gap(making, prefix, "user_s", sums->parts, node);
		sum_gap(making, prefix, "system_s", sums->parts, node);
		return unknown;
	}
	if (user + system <= 0) {
		gap_of_half(making, prefix, "user_s");
		gap_of_half(making, prefix, "system_s");
		return unknown;
	}
	share = user / (user + system);
	user_ns = share < 1 ? (int64_t)((double)all_ns * share) : all_ns;
	if (user_ns > all_ns)
		user_ns = all_ns;
	return (struct sum_split){ { user_ns }, { all_ns - user_ns } };
}

static bool none_known(const struct sums *sums, enum sum_place place)
{
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == place && sums_known(sums, i))
			return false;
	return true;
}

void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct making *making, const char *prefix)
{
	bool whole = group && none_known(sums, place);

	if (!making->gaps || (group && making_has_gap(making, prefix)))
		return;
	for (size_t i = 0; i < SUMS; i++) {
		if (names[i].place != place || sums_known(sums, i))
			continue;
		sum_gap(making, prefix, whole ? NULL : names[i].report, sums->parts, sums->of[i].lacking);
		if (whole)
			return;
	}
}

void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct making *making, const char *prefix)
{
	const char *whole = place == SUM_IN_STATES ? "states" : "used";
	char full[64];

	if (!making->gaps || making_has_gap(making, whole))
		return;
	for (size_t i = 0; i < SUMS; i++) {
		if (names[i].place != place || sums_known(sums, i))
			continue;
		snprintf(full, sizeof(full), "%s.%s", whole, names[i].report);
		if (!making_has_gap(making, full))
			sum_gap(making, prefix, names[i].report, sums->parts, sums->of[i].lacking);
	}
}
