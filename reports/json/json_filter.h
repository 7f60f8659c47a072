/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a few values out of long JSON text before it is parsed. A summary of ten thousand reports needs a few numbers of
 * each, and json-c would make objects of everything. reports/model/report_read.h does the same where the report is read
 * as a C type.
 */
#ifndef STINT_JSON_FILTER_H
#define STINT_JSON_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* A member to keep. A list of keys ends with one without a name. */
struct json_filter_key {
	const char *name;
	const struct json_filter_key *inside; /* what to keep of this object, or of a list's objects; NULL: all */
};

/*
 * Returns the object @text with only the members @keys, as JSON text to be freed.
 *
 * @stop: reading ends at this member of the outermost object
 * @out_len: the length of the returned text, which has a NUL behind it
 *
 * Returns NULL when memory is short, or where the text ends or is no JSON before @stop. Values that are left out are
 * not checked. The parser checks the others.
 */
char *json_filter(const char *text, size_t len, const struct json_filter_key *keys, const char *stop, size_t *out_len);

/*
 * Returns the object @text without its members @names, a list that NULL ends. Otherwise as json_filter().
 */
char *json_filter_without(const char *text, size_t len, const char *const *names, size_t *out_len);

/*
 * Returns whether json-c may take more than @max bytes for the JSON @text. The text is only counted, and may be damaged.
 */
bool json_weighs_more(const char *text, size_t len, size_t max);

/* As struct json_filter_key, for text that json_filter_within() bounds. */
struct json_filter_form {
	const char *name;
	const struct json_filter_form *inside; /* members of this object, or of a list's objects; NULL: it has none */
	unsigned int list; /* which bound of struct json_filter_bounds counts its elements; 0: it is no list */
};

/* What is kept of foreign text, and how much. Elements and weight are counted down, so that several texts can share a bound. */
struct json_filter_bounds {
	const struct json_filter_form *forms; /* of the outermost object's members */
	size_t *elements; /* by json_filter_form.list: how many elements all such lists may still have */
	size_t text_bytes; /* the longest single text; a longer one is left out. Not counted down */
	size_t *weight; /* the most bytes that the parser may still take for what is kept */
};

/*
 * As json_filter(), for text that somebody may have written to make its reader work or grow. @bounds says what is kept
 * at every depth, and how much. A member whose kind is not its form's is left out. Such an element of a list becomes an
 * empty text, so that the others keep their places.
 *
 * @name: what the text is, for @err
 *
 * Returns NULL with @err set where the text exceeds a bound, has a member twice, or is no JSON; errno is ENOMEM when
 * memory is short, and else EBADMSG.
 */
char *json_filter_within(const char *text, size_t len, const struct json_filter_bounds *bounds, const char *name,
			 size_t *out_len, struct error *err);

#endif
