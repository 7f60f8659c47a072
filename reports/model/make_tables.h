/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the tables of a model from its lists of fields.
 * One source file of each model includes this file, after it defines:
 *
 *   MODEL(name)            the name with the model's prefix: report_##name
 *   MODEL_OBJECTS(EACH)    the list of the model's objects
 *   MODEL_WHOLE            the fields of the model's outermost struct
 *   MODEL_STRUCT           the type of the outermost struct
 *   MODEL_WHOLE_TABLE      the function that returns the table of the outermost struct
 *   MODEL_WHOLE_NAME       the name of the outermost struct, as a string
 */
#include "reports/model/report_tables.h"

/* ---- the unknown value of each type ---- */

#define UNKNOWN_COUNT REPORT_UNKNOWN
#define UNKNOWN_LIMIT REPORT_UNKNOWN
#define UNKNOWN_SUM REPORT_UNKNOWN
#define UNKNOWN_REST REPORT_UNKNOWN
#define UNKNOWN_OFFSET 0
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

#define FIELD(type, name, ...) object->name = UNKNOWN_##type;
#define HIDDEN(type, name) FIELD(type, name)
#define OBJECT(name, of, ...) MODEL(forget_##of)(&object->name);
#define HIDDEN_OBJECT(name, of) OBJECT(name, of)
#define GROUP(name, list) list
#define LIST(name, of, ...) object->name = (struct MODEL(of##_list)){ 0 };

#define FORGET(of, list, ...) \
	static void MODEL(forget_##of)(void *memory) \
	{ \
		struct MODEL(of) *object = memory; \
\
		object->known = false; \
		list \
	}
MODEL_OBJECTS(FORGET)

static void MODEL(forget_whole)(void *memory)
{
	MODEL_STRUCT *object = memory;

	object->known = false;
	MODEL_WHOLE
}
#undef FIELD
#undef HIDDEN
#undef OBJECT
#undef HIDDEN_OBJECT
#undef LIST

/* ---- the tables ---- */

#define ROW(name, type, of) { #name, sizeof(#name) - 1, offsetof(object_type, name), REPORT_TYPE_##type, of },
#define FIELD(type, name, ...) ROW(name, type, NULL)
#define HIDDEN(type, name)
#define OBJECT(name, of, ...) ROW(name, OBJECT, MODEL(table_##of))
#define HIDDEN_OBJECT(name, of)
#define LIST(name, of, ...) ROW(name, LIST, MODEL(table_##of))

/* Each table is in a function, where ROW can use the type name object_type for the table's struct. */
#define TABLE(of, list, ...) \
	const struct report_object *MODEL(table_##of)(void) \
	{ \
		typedef struct MODEL(of) object_type; \
		static const struct report_field fields[] = { list }; \
		static const struct report_object object = { #of, fields, sizeof(fields) / sizeof(fields[0]), \
							     sizeof(object_type), MODEL(forget_##of) }; \
\
		return &object; \
	}
MODEL_OBJECTS(TABLE)

const struct report_object *MODEL_WHOLE_TABLE(void)
{
	typedef MODEL_STRUCT object_type;
	static const struct report_field fields[] = { MODEL_WHOLE };
	static const struct report_object object = { MODEL_WHOLE_NAME, fields, sizeof(fields) / sizeof(fields[0]),
						     sizeof(object_type), MODEL(forget_whole) };

	return &object;
}
#undef FIELD
#undef HIDDEN
#undef OBJECT
#undef HIDDEN_OBJECT
#undef GROUP
#undef LIST
