/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a report from its JSON.
 *
 * The JSON comes from elsewhere, perhaps from an older or a newer version of stint. So the reader skips a field that
 * is not in report_fields.h. If a field has the wrong type, it is not known. If an element of a list has the wrong
 * type, it keeps its place in the list, and nothing in it is known.
 */
#ifndef STINT_REPORT_READ_H
#define STINT_REPORT_READ_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/model/report_tables.h"

#define REPORT_PART(name) (UINT64_C(1) << REPORT_PART_##name)

/* All parts except those that grow with the job and that no page shows. */
#define REPORT_PARTS_BRIEF (~(REPORT_PART(timeline) | REPORT_PART(series) | REPORT_PART(files)))

struct report_want {
	uint64_t parts;         /* a REPORT_PART() for each part to read. Other parts are skipped without a check */
	enum report_part until; /* reading stops where this part begins, even if the text is cut there; REPORT_PARTS: at the end */
	size_t most;            /* the most bytes of memory that the report may need, not counting its text; 0: no limit */
};

/* Asks for all parts, without a limit. */
extern const struct report_want report_want_all;

/*
 * Reads a report.
 *
 * @text: @len bytes and a NUL, from malloc(); report_read() becomes its owner, even on failure
 * @name: the name of the text, for @err
 *
 * Returns the report, which the caller releases by report_free(). On failure, returns NULL with @err and errno set.
 * errno is ENOMEM if out of memory, and EFBIG if the report needs more than @want->most. errno is EBADMSG if the text
 * is not a JSON object, or nests deeper than any format of stint.
 */
struct report *report_read(char *text, size_t len, const struct report_want *want, const char *name, struct error *err);

/* The JSON text of an object, or of a list of objects, of any model. */
struct report_source {
	char *text;        /* @len bytes and a NUL. The reader changes the text, and strings of the object stay in it, so
			    * report_new() must own it */
	size_t len;
	size_t text_most;  /* the most bytes of one string; a longer string becomes unknown; 0: no limit */
	const char *name;  /* the name of the text, for errors */
	const struct report_object *(*of)(void); /* returns the table of the object, or of the objects in the list */
};

/*
 * report_read_object() reads @source into @object, a struct of the table source->of. report_read_list() reads it into
 * @list, a list of such structs.
 *
 * @memory: the report that report_new() made with the text of @source. It owns the lists, and the limit of its arena
 * (struct arena) applies
 *
 * Both return 0; -1 with @err and errno set as report_read() sets them.
 */
int report_read_object(struct report *memory, const struct report_source *source, void *object, struct error *err);
int report_read_list(struct report *memory, const struct report_source *source, void *list, struct error *err);

/*
 * Reads a report from the json-c objects in @objects, with all parts. Returns the report; NULL with @err and errno
 * set as report_read() sets them.
 */
struct report *report_read_objects(struct json_object *objects, const char *name, struct error *err);

#endif
