/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters JSON text that may be crafted to cost its reader time or memory. The memory is estimated, and members of no interest are
 * left out, before the text is parsed.
 */
#ifndef STINT_JSON_FILTER_H
#define STINT_JSON_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/*
 * Returns whether json-c may take more than @max bytes for the JSON @text. The text is only counted, and may be damaged.
 */
bool json_weighs_more(const char *text, size_t len, size_t max);

/* A member to keep. A list of forms ends with one without a name. */
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
 * Returns the object @text with only the members that have a form in @bounds, at every depth, as JSON text to be freed.
 * A member whose kind differs from its form's is left out. A list element of another kind becomes an empty text, so
 * that the others keep their positions. Values that are left out are not checked.
 *
 * @name: what the text is, for @err
 * @out_len: set to the length of the returned text, without the NUL that follows it
 *
 * Returns NULL with @err set if the text exceeds a bound, has a member twice, or is not JSON. errno is ENOMEM if out of
 * memory, else EBADMSG.
 */
char *json_filter_within(const char *text, size_t len, const struct json_filter_bounds *bounds, const char *name,
			 size_t *out_len, struct error *err);

#endif
