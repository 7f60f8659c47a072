/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/sums.h"

#include <stdio.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/numbers.h"

static const struct name {
	const char *record, *report;
	enum sum_place place;
} names[SUMS] = {
#define SUM_NAME(name, in_record, place, type, in_report) [SUM_##name] = { in_record, #in_report, SUM_##place },
	SUM_LIST(SUM_NAME)
#undef SUM_NAME
	[SUM_PROCESSES] = { "processes", "processes", SUM_IN_TOTALS },
	[SUM_OOM_KILLS] = { "oom_kills", "oom_kills", SUM_IN_TOTALS },
};

/* Nanoseconds of the record become seconds in the report. All other units are the same in both. */
static bool is_time(const struct name *name)
{
	size_t length = strlen(name->record);

	return length > 3 && strcmp(name->record + length - 3, "_ns") == 0;
}

void sum_add_value(struct sum *sum, int64_t value, const char *node)
{
	if (value >= 0) {
		sum->value = count_sum(sum->value, value);
		sum->known++;
	} else if (!sum->lacking) {
		sum->lacking = node;
	}
}

void sum_add(struct sum *sum, struct json_object *json, const char *name, const char *node)
{
	int64_t value = -1;

	field_count(json, name, &value);
	sum_add_value(sum, value, node);
}

void sums_add(struct sums *sums, const struct numbers *numbers, const char *node)
{
	sums->parts++;
	for (size_t i = 0; i < SUMS; i++)
		sum_add_value(&sums->of[i], numbers->of[i], node);
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

static void put_sum(struct json_object *out, const struct name *name, int64_t value)
{
	if (is_time(name))
		put_new_seconds(out, name->report, value);
	else
		put_new_count(out, name->report, value);
}

void sums_put_one(const struct sums *sums, enum sum_id id, struct json_object *out)
{
	if (sums_known(sums, id))
		put_sum(out, &names[id], sums->of[id].value);
}

void sums_put(const struct sums *sums, enum sum_place place, struct json_object *out)
{
	for (size_t i = 0; i < SUMS; i++)
		if (names[i].place == place)
			sums_put_one(sums, i, out);
}

void sums_put_object(const struct sums *sums, enum sum_place place, struct json_object *out, const char *name)
{
	cleanup_json struct json_object *object = json_object_new_object();

	sums_put(sums, place, object);
	if (json_object_object_length(object) > 0)
		put_copy(out, name, object);
}

/* Copies the record's value of the sum @id, unless it is not known; or zero and @with_zero is false. */
static void copy_sum(struct json_object *json, enum sum_id id, struct json_object *out, bool with_zero)
{
	const struct name *name = &names[id];
	int64_t value;

	if (!numbers_count(json, id, &value) || (value == 0 && !with_zero))
		return;
	if (is_time(name))
		put_new_seconds(out, name->report, value);
	else if (value)
		put_new_same(out, name->report, field_find(json, name->record));
	else
		put_new_count(out, name->report, 0);
}

void sums_copy_used(struct json_object *json, struct json_object *out)
{
	for (size_t i = 0; i < SUMS_OF_ENTRY; i++)
		if (names[i].place == SUM_IN_USED)
			copy_sum(json, i, out, true);
}

void sums_copy_states(struct json_object *json, struct json_object *out)
{
	struct json_object *states;
	int64_t on_cpu_ns;

	if (!numbers_count(json, SUM_ON_CPU, &on_cpu_ns))
		return;
	states = put_object(out, "states");
	for (size_t i = 0; i < SUMS_OF_ENTRY; i++)
		if (names[i].place == SUM_IN_STATES)
			copy_sum(json, i, states, false);
}

void sum_gap(struct json_object *gaps, const char *prefix, const char *name, unsigned int parts, const char *node)
{
	static const char reason[] = "the node record does not have it";
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
				gaps_add(gaps, full, GAP_NO_TICK " fell into the job's processes: too short to share out");
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
