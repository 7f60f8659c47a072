/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job report as a file: written one way, and taken from anybody with care. */
#ifndef STINT_REPORT_H
#define STINT_REPORT_H

#include <stddef.h>

#include <json-c/json.h>

#include "collector/common/error.h"

#define REPORT_BYTES_MAX (1u << 30)

/*
 * Returns the report as text, to be freed: each field of a part and each
 * element of a list on a line of its own. NULL when memory is short.
 */
char *report_text(struct json_object *report, size_t *len);

/*
 * Reads the report file @path and checks that it is one that this stint can read.
 *
 * @text: its bytes as they stand, to be freed; may be NULL
 *
 * Returns the report, to be put; NULL with @err set.
 */
struct json_object *report_load(const char *path, char **text, struct error *err);

/*
 * As report_load(), but without what grows with the job and no page shows: its timeline, its series and the files. That they
 * are sound is not looked at either.
 */
struct json_object *report_load_brief(const char *path, struct error *err);

#endif
