/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the report from its JSON.
 *
 * The JSON comes from elsewhere, maybe from an older or a newer stint. So a field that is not in report_fields.h is skipped, and a
 * field of another type is not known. A list element of another type keeps its place, and nothing of it is known.
 */
#ifndef STINT_REPORT_READ_H
#define STINT_REPORT_READ_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/model/report_tables.h"

#define REPORT_PART(name) (UINT64_C(1) << REPORT_PART_##name)

/* All parts, except those that grow with the job and that no page shows. */
#define REPORT_PARTS_BRIEF (~(REPORT_PART(timeline) | REPORT_PART(series) | REPORT_PART(files)))

struct report_want {
	uint64_t parts;         /* REPORT_PART() of those to read; others are only skipped, and not checked */
	enum report_part until; /* reading ends at the begin of this part, even if the text is cut there; REPORT_PARTS: at the end */
	size_t most;            /* bytes of memory that the report may have beside its text; 0: no bound */
};

/* All parts, without a bound. */
extern const struct report_want report_want_all;

/*
 * Reads a report.
 *
 * @text: @len bytes and a NUL, of malloc(); report_read() takes ownership of it, even on failure
 * @name: what it is, for @err
 *
 * Returns the report, for report_free(); NULL with @err set. errno is then ENOMEM, EFBIG if it would have taken more than
 * @want->most, or EBADMSG: it is not a JSON object, or nests deeper than any of our formats.
 */
struct report *report_read(char *text, size_t len, const struct report_want *want, const char *name, struct error *err);

/* A JSON text of any model: an object, or a list of objects. */
struct report_source {
	char *text;        /* @len bytes and a NUL; it is changed, and texts of the object lie in it: report_new() owns it */
	size_t len;
	size_t text_most;  /* bytes of one text; a longer one is not known. 0: no bound */
	const char *name;  /* what it is, for errors */
	const struct report_object *(*of)(void); /* the table of the object, or of the list's objects */
};

/*
 * Read @source into @object, a struct of its table, or into @list, a list of such structs.
 *
 * @memory: what report_new() made of the source's text. It gets the lists; the bound of its arena (struct arena) applies
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
