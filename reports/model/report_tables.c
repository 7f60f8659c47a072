/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_tables.h"

/* ---- how each becomes unknown ---- */

#define UNKNOWN_COUNT REPORT_UNKNOWN
#define UNKNOWN_LIMIT REPORT_UNKNOWN
#define UNKNOWN_SECONDS ((struct report_seconds){ REPORT_UNKNOWN })
#define UNKNOWN_RATIO NAN
#define UNKNOWN_TEXT NULL
#define UNKNOWN_WORD NULL
#define UNKNOWN_TIME NULL
#define UNKNOWN_MARK false
#define UNKNOWN_FLAG ((struct report_flag){ false, false })
#define UNKNOWN_VALUE ((struct report_value){ NULL, NAN, false })
#define UNKNOWN_COUNT_LIST ((struct report_counts){ 0 })
#define UNKNOWN_SECONDS_LIST ((struct report_times){ 0 })
#define UNKNOWN_TEXT_LIST ((struct report_texts){ 0 })
#define UNKNOWN_COUNT_MAP ((struct report_count_map){ 0 })
#define UNKNOWN_RATIO_MAP ((struct report_ratio_map){ 0 })

#define FIELD(type, name) object->name = UNKNOWN_##type;
#define OBJECT(name, of) forget_##of(&object->name);
#define GROUP(name, list) list
#define LIST(name, of) object->name = (struct report_##of##_list){ 0 };

#define FORGET(of, list) \
	static void forget_##of(void *memory) \
	{ \
		struct report_##of *object = memory; \
\
		object->known = false; \
		list \
	}
REPORT_OBJECTS(FORGET)

static void forget_report(void *memory)
{
	struct report *object = memory;

	object->known = false;
	REPORT_WHOLE
}
#undef FIELD
#undef OBJECT
#undef LIST
#undef GROUP

/* ---- the tables ---- */

#define ROW(name, type, of) { #name, sizeof(#name) - 1, offsetof(object_type, name), REPORT_TYPE_##type, of },
#define FIELD(type, name) ROW(name, type, NULL)
#define OBJECT(name, of) ROW(name, OBJECT, report_table_##of)
#define GROUP(name, list) list
#define LIST(name, of) ROW(name, LIST, report_table_##of)

/* Each table is in a function of its own, so that ROW can use one type name for the struct of each. */
#define TABLE(of, list) \
	const struct report_object *report_table_##of(void) \
	{ \
		typedef struct report_##of object_type; \
		static const struct report_field fields[] = { list }; \
		static const struct report_object object = { #of, fields, sizeof(fields) / sizeof(fields[0]), \
							     sizeof(object_type), forget_##of }; \
\
		return &object; \
	}
REPORT_OBJECTS(TABLE)

const struct report_object *report_whole(void)
{
	typedef struct report object_type;
	static const struct report_field fields[] = { REPORT_WHOLE };
	static const struct report_object object = { "report", fields, sizeof(fields) / sizeof(fields[0]),
						     sizeof(object_type), forget_report };

	return &object;
}
