/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of the fields of the report's structs, for code that does the same with each field, such as reading, writing
 * and comparing.
 */
#ifndef STINT_REPORT_TABLES_H
#define STINT_REPORT_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

/* The types of report_fields.h. */
enum report_type {
	REPORT_TYPE_COUNT,
	REPORT_TYPE_LIMIT,
	REPORT_TYPE_SUM,
	REPORT_TYPE_REST,
	REPORT_TYPE_OFFSET,
	REPORT_TYPE_SECONDS,
	REPORT_TYPE_RATIO,
	REPORT_TYPE_TEXT,
	REPORT_TYPE_WORD,
	REPORT_TYPE_TIME,
	REPORT_TYPE_MARK,
	REPORT_TYPE_FLAG,
	REPORT_TYPE_VALUE,
	REPORT_TYPE_OBJECT,
	REPORT_TYPE_LIST,
	REPORT_TYPE_COUNT_LIST,
	REPORT_TYPE_SECONDS_LIST,
	REPORT_TYPE_TEXT_LIST,
	REPORT_TYPE_COUNT_MAP,
	REPORT_TYPE_RATIO_MAP,
};

struct report_object;

struct report_field {
	const char *name;
	uint16_t length; /* of the name */
	uint16_t offset; /* the offset of the member in its struct */
	enum report_type type;
	const struct report_object *(*of)(void); /* the table of the object, or of the list's objects; otherwise NULL */
};

/* The table of a struct report_NAME. */
struct report_object {
	const char *name;
	const struct report_field *fields;
	size_t count;
	size_t bytes; /* of the struct */
	void (*forget)(void *object); /* makes the object and everything in it unknown; frees nothing */
};

/* Each struct report_NAME_list, and each list of plain values, has these members. */
struct report_any_list REPORT_LIST_OF(void);

/* These functions return the table of each object, for example report_table_finding(). */
#define REPORT_TABLE(of, list, ...) const struct report_object *report_table_##of(void);
REPORT_OBJECTS(REPORT_TABLE)
#undef REPORT_TABLE

/* Returns the table of struct report itself. Field i of the table is part i. */
const struct report_object *report_whole(void);

/*
 * Returns the REST field of @of, which is its first field. Returns NULL if @of has none; objects of such a table leave
 * out no zeros.
 */
static inline const struct report_field *report_rest(const struct report_object *of)
{
	return of->count && of->fields[0].type == REPORT_TYPE_REST ? &of->fields[0] : NULL;
}

/* Returns the member that @field names, of @object, which is a struct of the field's table. */
static inline void *report_member(const struct report_field *field, void *object)
{
	return (char *)object + field->offset;
}

#endif
