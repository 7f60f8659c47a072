/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/record_input.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"

int record_identify(struct json_object *record, const char *name, struct record_identity *identity,
		    struct error *err)
{
	int64_t version = 0, job_id = 0, attempt = 0;

	errno = EBADMSG;
	if (!field_count(record, "stint_record", &version))
		return error_set(err, "%s: not a node record", name);
	errno = EPROTONOSUPPORT;
	if (version != RECORD_VERSION)
		return error_set(err, "%s: a node record of version %lld; this stint reads version %d", name,
				 (long long)version, RECORD_VERSION);
	errno = EBADMSG;
	identity->node = field_text(record, "identity.node");
	if (!field_count(record, "identity.job_id", &job_id) || job_id < 1 || job_id > UINT32_MAX)
		return error_set(err, "%s: a node record without identity.job_id", name);
	if (!field_count(record, "identity.attempt", &attempt) || attempt < 1 || attempt > UINT32_MAX)
		return error_set(err, "%s: a node record without identity.attempt", name);
	if (!identity->node || !*identity->node || strchr(identity->node, '/'))
		return error_set(err, "%s: a node record without identity.node", name);
	identity->job_id = job_id;
	identity->attempt = attempt;
	return 0;
}

struct json_object *record_parse(const char *data, size_t len, const char *name, struct record_identity *identity,
				 struct error *err)
{
	struct json_object *record = field_parse(data, len, name, json_type_object, err);

	if (record && record_identify(record, name, identity, err) < 0) {
		json_object_put(record);
		return NULL;
	}
	return record;
}

struct ranked {
	size_t index;
	int64_t wall_ns;
};

static int compare_walls(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->wall_ns != other->wall_ns)
		return one->wall_ns > other->wall_ns ? -1 : 1;
	return one->index < other->index ? -1 : one->index > other->index;
}

static int compare_indexes(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	return one->index < other->index ? -1 : one->index > other->index;
}

static void say_trimmed(struct json_object *record, size_t kept, size_t count)
{
	struct json_object *gaps = field_typed(record, "gaps", json_type_array);

	if (!gaps)
		gaps = put_array(record, "gaps");
	gaps_addf(gaps, "timeline", "the longest %zu of %zu entries are kept: a report has no more of one node", kept,
		  count);
}

void record_trim_timeline(struct json_object *record, size_t max)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array), *kept;
	size_t count = field_length(timeline);
	cleanup_free struct ranked *ranked = NULL;

	if (count <= max)
		return;
	ranked = calloc(count, sizeof(*ranked));
	if (!ranked)
		return;
	for (size_t i = 0; i < count; i++) {
		ranked[i].index = i;
		field_count(json_object_array_get_idx(timeline, i), "wall_ns", &ranked[i].wall_ns);
	}
	qsort(ranked, count, sizeof(*ranked), compare_walls);
	qsort(ranked, max, sizeof(*ranked), compare_indexes);
	kept = json_object_new_array();
	for (size_t i = 0; i < max; i++)
		json_object_array_add(kept, json_object_get(json_object_array_get_idx(timeline, ranked[i].index)));
	json_object_object_add(record, "timeline", kept);
	say_trimmed(record, max, count);
}

bool record_unused(struct json_object *record)
{
	int64_t value;

	return !field_count(record, "opened_unix_ns", &value) &&
	       field_length(field_typed(record, "steps", json_type_array)) == 0 &&
	       numbers_count(field_typed(record, "totals", json_type_object), SUM_PROCESSES, &value) && value == 0;
}

int64_t record_nodes_at_start(struct json_object *record)
{
	struct json_object *steps = field_typed(record, "steps", json_type_array);
	int64_t nodes;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (field_is(step, "id", "extern") && field_count(step, "nodes", &nodes))
			return nodes;
	}
	return 0;
}

const struct numbers *record_numbers(struct json_object *record, struct numbers *room)
{
	return numbers_of(field_typed(record, "totals", json_type_object), room);
}

const char *record_node(struct json_object *record)
{
	const char *node = field_text(record, "identity.node");

	return node ? node : "?";
}

const char *record_group(struct json_object *record)
{
	struct group *group = NULL;
	int64_t gid;

	if (field_count(record, "user.gid", &gid) && gid < UINT32_MAX)
		group = getgrgid((gid_t)gid);
	return group ? group->gr_name : NULL;
}
