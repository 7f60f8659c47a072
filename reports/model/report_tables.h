/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the fields in the report's structs, for code that handles all fields alike. */
#ifndef STINT_REPORT_TABLES_H
#define STINT_REPORT_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "reports/model/report.h"

/* The types in report_fields.h. */
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
	uint16_t length; /* of the name, in bytes */
	uint16_t offset; /* of the member in its struct */
	enum report_type type;
	const struct report_object *(*of)(void); /* the table of the object, or of the list's objects; else NULL */
};

/* The table of a struct report_NAME. */
struct report_object {
	const char *name;
	const struct report_field *fields;
	size_t count;
	size_t bytes; /* size of the struct */
	void (*forget)(void *object); /* makes the object and everything in it unknown; frees nothing */
};

/* The first members of each struct report_NAME_list, and of each list of plain values. */
struct report_any_list REPORT_LIST_OF(void);

/* Each function returns the table of one object, such as report_table_finding(). */
#define REPORT_TABLE(of, list, ...) const struct report_object *report_table_##of(void);
REPORT_OBJECTS(REPORT_TABLE)
#undef REPORT_TABLE

/* Returns the table of struct report. Field i of the table is part i (enum report_part). */
const struct report_object *report_whole(void);

/*
 * Returns the field of type REST, which is the first one; NULL if the table has none.
 * Without this field, objects never leave out zeros.
 */
static inline const struct report_field *report_rest(const struct report_object *of)
{
	return of->count && of->fields[0].type == REPORT_TYPE_REST ? &of->fields[0] : NULL;
}

/* @object must be a struct of the field's table. */
static inline void *report_member(const struct report_field *field, void *object)
{
	return (char *)object + field->offset;
}

#endif
