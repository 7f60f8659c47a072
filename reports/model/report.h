/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the job report. Its members have the same names as the fields in reports/report.schema.json. For example,
 * "used.cpu_s" in JSON is report->used.cpu_s. report_fields.h lists the members.
 *
 * Any value may be unknown. An unknown value is never 0. It is REPORT_UNKNOWN for a count and for the ns of a time,
 * NAN for a ratio, NULL for a text, and false for a mark. For a flag, a list or an object, .known is false.
 * Everything in an unknown object is unknown, so callers need not check the object first.
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
#define REPORT_NONE (-2) /* for a limit: there is none; for the job's number in an array: the job is not a task of an array */

/*
 * A time in nanoseconds, so that no digit is lost, even if a report adds up the times of many thousand threads.
 */
struct report_seconds {
	int64_t ns;
};

struct report_flag {
	bool known, value;
};

/* A number or a text. */
struct report_value {
	const char *text; /* NULL if the value is a number, or not known */
	double number;    /* NAN if the value is a text, or not known */
	bool whole;       /* true if the number is a count */
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
		bool has_room; /* only for report_make.c; a list that was read has no room after its last item */ \
	}

/* Lists and maps of plain values. Each of the values may be unknown. */
struct report_counts REPORT_LIST_OF(int64_t);
struct report_times REPORT_LIST_OF(struct report_seconds);
struct report_texts REPORT_LIST_OF(const char *);
struct report_count_map REPORT_LIST_OF(struct report_named_count);
struct report_ratio_map REPORT_LIST_OF(struct report_named_ratio);

/* Some compilers define the macro unix. Here, unix is the name of a protocol. */
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
 * The dotted name of a field, as gaps use it. For example, REPORT_PATH(job.end) is "job.end". The compiler checks
 * that struct report has this field. REPORT_PATH_OF(node, used.cpu_s) is the name of a field of struct report_node.
 */
#define REPORT_PATH(path) (&#path[0 * sizeof(((struct report *)0)->path)])
#define REPORT_PATH_OF(of, path) (&#path[0 * sizeof(((struct report_##of *)0)->path)])

/* The parts of the report. Each member of struct report is a part, and has a number here. */
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

/* Returns @time in seconds; NAN if the time is not known. */
static inline double report_s(struct report_seconds time)
{
	return time.ns < 0 ? NAN : (double)time.ns / 1e9;
}

#define REPORT_NUMBER_MAX 1e18 /* a report with a larger number is forged; the product of two smaller numbers is still finite */

/* Returns @count as a double; NAN if @count is not known, is REPORT_NONE, or exceeds REPORT_NUMBER_MAX. */
static inline double report_number(int64_t count)
{
	return count < 0 || (double)count > REPORT_NUMBER_MAX ? NAN : (double)count;
}

/* Returns @ratio; NAN if it is not known, is negative, or exceeds REPORT_NUMBER_MAX. */
static inline double report_ratio(double ratio)
{
	return ratio >= 0 && ratio <= REPORT_NUMBER_MAX ? ratio : NAN;
}

/* Returns true if @text and @other are both known and equal. */
static inline bool report_text_is(const char *text, const char *other)
{
	return text && other && strcmp(text, other) == 0;
}

/* Returns the node of @report that is called @name; NULL if there is no such node, or if @name is NULL. */
const struct report_node *report_node_named(const struct report *report, const char *name);

struct arena;

/*
 * Returns a report in which nothing is known; NULL with errno ENOMEM if out of memory. Release it by report_free().
 *
 * @text: memory from malloc() that will hold texts of the report; may be NULL. report_free() frees @text. If
 * report_new() fails, the caller must free @text
 */
struct report *report_new(char *text);

/* Returns the arena that holds everything in @report. report_new() must have made @report. */
struct arena *report_arena(struct report *report);

/* Adds an owner to @report, and returns @report. Each owner calls report_free(). */
struct report *report_share(struct report *report);

/* Drops one owner. If there is no other owner, frees the report and everything in it. @report may be NULL. */
void report_free(struct report *report);

static inline void report_freep(struct report **report)
{
	report_free(*report);
}

#define cleanup_report __attribute__((cleanup(report_freep), unused))

/* Returns true if @tool is the job script. In reports of earlier versions, only the path of slurmd's copy shows this. */
static inline bool report_is_script(const struct report_tool *tool)
{
	const char *slash = tool->path ? strrchr(tool->path, '/') : NULL;

	return tool->job_script || (slash && strcmp(slash, "/slurm_script") == 0);
}

#endif
