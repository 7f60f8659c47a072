/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/record.h"

#include <string.h>

#include "reports/field.h"

int record_identify(struct json_object *record, const char *name, struct record_identity *identity,
		    struct error *err)
{
	int64_t version = 0, job_id = 0, attempt = 0;

	if (!field_count(record, "stint_record", &version))
		return error_set(err, "%s: not a node record", name);
	if (version != RECORD_VERSION)
		return error_set(err, "%s: a node record of version %lld; this stint reads version %d", name,
				 (long long)version, RECORD_VERSION);
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

const char *record_node(struct json_object *record)
{
	const char *node = field_text(record, "identity.node");

	return node ? node : "?";
}
