/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as one page for a browser, with nothing beside it: no network, no other file. Of a report, which may
 * have been made by anybody, only text comes into it. docs/html.md tells how it is made.
 */
#ifndef STINT_HTML_H
#define STINT_HTML_H

#include <stdio.h>

#include <json-c/json.h>

#include "collector/common/error.h"

/*
 * Prints the page of @report, as report_load() took it.
 *
 * Returns 0; -1 with @err set when memory is short. What @out could not take, ferror() tells.
 */
int html_print(struct json_object *report, FILE *out, struct error *err);

/*
 * The same into the file @path, whole or not at all: a plain file that is there is replaced, and keeps its
 * permissions. "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int html_write(struct json_object *report, const char *path, struct error *err);

#endif
