/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The job report. Members have the names of the fields in reports/report.schema.json:
 * "used.cpu_s" is report->used.cpu_s. report_fields.h lists the members.
 *
 * Any value may be unknown, and an unknown value is never 0:
 * REPORT_UNKNOWN for a count and the ns of a time, NAN for a ratio, NULL for a text, false for a mark.
 * In an unknown flag, list or object, .known is false.
 * Everything in an unknown object is unknown, so callers need not check the object.
 */
#ifndef STINT_REPORT_H
#define STINT_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reports/model/report_fields.h"

#define REPORT_UNKNOWN (-1)
#define REPORT_NONE (-2) /* there is no limit, or the job is not a task of an array */

/* Nanoseconds, so that the sum of many thousand threads loses no digit. */
struct report_seconds {
	int64_t ns;
};

struct report_flag {
	bool known, value;
};

struct report_value {
	const char *text; /* NULL if the value is a number, or not known */
	double number;    /* NAN if the value is a text, or not known */
	bool whole;       /* the number is a count */
};

struct report_named_count {
	const char *name;
	int64_t value;
};

struct report_named_ratio {
	const char *name;
	double value;
};

/* A list of items of type @item. */
#define REPORT_LIST_OF(item) \
	{ \
		item *items; \
		size_t count; \
		bool known; \
		bool has_room; /* set by report_make.c; a list from a file has no room left */ \
	}

/* Lists and maps of plain values. Any of the values may be unknown. */
struct report_counts REPORT_LIST_OF(int64_t);
struct report_times REPORT_LIST_OF(struct report_seconds);
struct report_texts REPORT_LIST_OF(const char *);
struct report_count_map REPORT_LIST_OF(struct report_named_count);
struct report_ratio_map REPORT_LIST_OF(struct report_named_ratio);

/* Some compilers define unix. Here it is the name of a protocol. */
#undef unix

#define REPORT_C_COUNT int64_t
#define REPORT_C_LIMIT int64_t
#define REPORT_C_SUM int64_t
#define REPORT_C_REST int64_t
#define REPORT_C_OFFSET int64_t
#define REPORT_C_SECONDS struct report_seconds
#define REPORT_C_RATIO double
#define REPORT_C_TEXT const char *
#define REPORT_C_WORD const char *
#define REPORT_C_TIME const char *
#define REPORT_C_MARK bool
#define REPORT_C_FLAG struct report_flag
#define REPORT_C_VALUE struct report_value
#define REPORT_C_COUNT_LIST struct report_counts
#define REPORT_C_SECONDS_LIST struct report_times
#define REPORT_C_TEXT_LIST struct report_texts
#define REPORT_C_COUNT_MAP struct report_count_map
#define REPORT_C_RATIO_MAP struct report_ratio_map

#define FIELD(type, name, ...) REPORT_C_##type name;
#define OBJECT(name, of, ...) struct report_##of name;
#define LIST(name, of, ...) struct report_##of##_list name;
#define GROUP(name, list) \
	union { \
		struct report_##name name; \
		struct { \
			list \
		}; \
	};
#define REPORT_GROUP(name, list, ...) \
	struct report_##name { \
		list \
	};
#define REPORT_STRUCT(name, list, ...) \
	struct report_##name { \
		bool known; \
		list \
	}; \
	struct report_##name##_list REPORT_LIST_OF(struct report_##name);
REPORT_GROUPS(REPORT_GROUP)
REPORT_OBJECTS(REPORT_STRUCT)

struct report {
	bool known;
	REPORT_WHOLE
};
#undef FIELD
#undef OBJECT
#undef LIST
#undef GROUP

/*
 * The dotted name of a field, for gaps: REPORT_PATH(job.end) is "job.end".
 * The compiler checks that struct report has the field.
 * REPORT_PATH_OF(node, used.cpu_s) is the name of a field of struct report_node.
 */
#define REPORT_PATH(path) (&#path[0 * sizeof(((struct report *)0)->path)])
#define REPORT_PATH_OF(of, path) (&#path[0 * sizeof(((struct report_##of *)0)->path)])

/* The number of each part. Each member of struct report is a part. */
enum report_part {
#define FIELD(type, name, ...) REPORT_PART_##name,
#define OBJECT(name, of, ...) REPORT_PART_##name,
#define LIST(name, of, ...) REPORT_PART_##name,
	REPORT_WHOLE
#undef FIELD
#undef OBJECT
#undef LIST
	REPORT_PARTS
};

/* Returns seconds; NAN if unknown. */
static inline double report_s(struct report_seconds time)
{
	return time.ns < 0 ? NAN : (double)time.ns / 1e9;
}

#define REPORT_NUMBER_MAX 1e18 /* a larger number is forged; the product of two numbers up to this limit is finite */

/* Returns NAN if @count is not known, REPORT_NONE, or above REPORT_NUMBER_MAX. */
static inline double report_number(int64_t count)
{
	return count < 0 || (double)count > REPORT_NUMBER_MAX ? NAN : (double)count;
}

/* Returns NAN if @ratio is not known, negative, or above REPORT_NUMBER_MAX. */
static inline double report_ratio(double ratio)
{
	return ratio >= 0 && ratio <= REPORT_NUMBER_MAX ? ratio : NAN;
}

/* Returns whether @text and @other are known and equal. */
static inline bool report_text_is(const char *text, const char *other)
{
	return text && other && strcmp(text, other) == 0;
}

/* Returns the node called @name; NULL if there is none, or if @name is NULL. */
const struct report_node *report_node_named(const struct report *report, const char *name);

struct arena;

/*
 * Returns a report in which nothing is known; NULL with errno ENOMEM if out of memory.
 * The caller must release the report with report_free().
 *
 * @text: memory from malloc() for texts of the report; may be NULL.
 * The report owns @text. If report_new() fails, the caller must free it.
 */
struct report *report_new(char *text);

/* Returns the arena of a report from report_new(). The arena holds everything in @report. */
struct arena *report_arena(struct report *report);

/* Adds an owner to @report, and returns @report. Each owner calls report_free(). */
struct report *report_share(struct report *report);

/* Drops one owner. The last owner's call frees the report. @report may be NULL. */
void report_free(struct report *report);

static inline void report_freep(struct report **report)
{
	report_free(*report);
}

#define cleanup_report __attribute__((cleanup(report_freep), unused))

/* Returns whether @tool is the job script. In reports of old versions, only the path of slurmd's copy shows this. */
static inline bool report_is_script(const struct report_tool *tool)
{
	const char *slash = tool->path ? strrchr(tool->path, '/') : NULL;

	return tool->job_script || (slash && strcmp(slash, "/slurm_script") == 0);
}

#endif
