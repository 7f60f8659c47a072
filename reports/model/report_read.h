/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the report from its JSON.
 *
 * The JSON comes from elsewhere, perhaps from an older or a newer stint. So the reader skips a field that is not in
 * report_fields.h. A field of another type is not known. An element of another type keeps its place in the list, and
 * everything in it is unknown.
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
	uint64_t parts;         /* REPORT_PART() of the parts to read. Other parts are skipped, and not checked */
	enum report_part until; /* reading ends at the begin of this part, even if the text is cut there. REPORT_PARTS means the
				 * end of the text */
	size_t most;            /* the most bytes of memory that the report may have besides its text; 0 means no bound */
};

/* Wants all parts, without a bound. */
extern const struct report_want report_want_all;

/*
 * Reads a report.
 *
 * @text: @len bytes and a NUL, from malloc(); report_read() becomes its owner, even on failure
 * @name: the name of the text, for @err
 *
 * Returns the report, for report_free(). On failure returns NULL with @err and errno set. errno is ENOMEM if out of
 * memory, and EFBIG if the report needs more than @want->most. It is EBADMSG if the text is not a JSON object, or nests
 * deeper than any of our formats.
 */
struct report *report_read(char *text, size_t len, const struct report_want *want, const char *name, struct error *err);

/* A JSON text of any model: an object, or a list of objects. */
struct report_source {
	char *text;        /* @len bytes and a NUL. The reader changes the text, and texts of the object stay in it, so
			    * report_new() must own it */
	size_t len;
	size_t text_most;  /* the most bytes of one string. A longer string is not known. 0 means no bound */
	const char *name;  /* the name of the text, for errors */
	const struct report_object *(*of)(void); /* the table of the object, or of the list's objects */
};

/*
 * The first function reads @source into @object, a struct of its table. The second reads it into @list, a list of such
 * structs.
 *
 * @memory: the report that report_new() made with the source's text. It owns the lists; the bound of its arena (struct
 * arena) applies
 *
 * Return 0; -1 with @err and errno set as by report_read().
 */
int report_read_object(struct report *memory, const struct report_source *source, void *object, struct error *err);
int report_read_list(struct report *memory, const struct report_source *source, void *list, struct error *err);

/*
 * Returns the report of the json-c objects in @objects, with all parts; NULL with @err set, as for report_read().
 */
struct report *report_read_objects(struct json_object *objects, const char *name, struct error *err);

#endif
