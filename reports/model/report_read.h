/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a report from its JSON.
 *
 * The JSON may come from an older or newer version of stint, or be forged:
 * - A field that is not in report_fields.h is skipped.
 * - A field of the wrong type is not known.
 * - An element of the wrong type keeps its place in the list, and nothing in it is known.
 */
#ifndef STINT_REPORT_READ_H
#define STINT_REPORT_READ_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/model/report_tables.h"

#define REPORT_PART(name) (UINT64_C(1) << REPORT_PART_##name)

/* All parts, except the parts that grow with the job and that no page shows. */
#define REPORT_PARTS_BRIEF (~(REPORT_PART(timeline) | REPORT_PART(series) | REPORT_PART(files)))

struct report_want {
	uint64_t parts;         /* a REPORT_PART() for each part to read; all others are skipped unchecked */
	enum report_part until; /* where to stop reading, even in the middle of the text; REPORT_PARTS: at the end */
	size_t most;            /* bytes of memory that the report may need, without its text; 0: no limit */
};

/* All parts, without a limit. */
extern const struct report_want report_want_all;

/*
 * Reads a report.
 *
 * @text: @len bytes and a NUL, from malloc(); report_read() owns it, even on failure
 * @name: the name of the text, for @err
 *
 * Returns the report, for report_free(). On failure, returns NULL with @err and errno set:
 *   ENOMEM: out of memory
 *   EFBIG: the report needs more than @want->most
 *   EBADMSG: no JSON object, or one that nests deeper than any format of stint
 */
struct report *report_read(char *text, size_t len, const struct report_want *want, const char *name, struct error *err);

/* The JSON text of an object, or of a list of objects, of any model. */
struct report_source {
	/*
	 * @len bytes and a NUL. The report of report_new() must own the text, because the reader changes the text,
	 * and objects keep pointers to its strings.
	 */
	char *text;
	size_t len;
	size_t text_most;  /* a longer string becomes unknown; bytes, 0: no limit */
	const char *name;  /* for errors */
	const struct report_object *(*of)(void); /* the table of the object, or of the list's objects */
};

/*
 * Read @source into @object, or into @list. Each object is a struct of the table source->of.
 *
 * @memory: from report_new() with the text of @source.
 * It owns the lists, and the limit of its arena (struct arena) applies.
 *
 * Return 0; -1 with @err and errno set as in report_read().
 */
int report_read_object(struct report *memory, const struct report_source *source, void *object, struct error *err);
int report_read_list(struct report *memory, const struct report_source *source, void *list, struct error *err);

/*
 * Reads a report, with all parts, from json-c objects.
 * Returns the report; NULL with @err and errno set as in report_read().
 */
struct report *report_read_objects(struct json_object *objects, const char *name, struct error *err);

#endif
