/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all views need of a report's lists of tools and of killed processes. */
#ifndef STINT_TOOL_FIELDS_H
#define STINT_TOOL_FIELDS_H

#include <stdbool.h>

#include <json-c/json.h>

#define TOOL_FOLDER_TEXT 64

/*
 * Returns whether any of the user's tools in @tools has the field @name. @tools is a report's list, or another list of
 * objects.
 */
bool tool_fields_know(struct json_object *tools, const char *name);

/*
 * Returns which field of a tool is its memory peak: of used memory, as the job's own peak is. Where a report does not
 * have that, it is of the resident set, and the column is named so.
 */
const char *tool_fields_peak(struct json_object *tools);

/*
 * Writes what distinguishes @tool from others of the report's @tools that have its name: the last part of its folder, or all of that
 * if the last parts are equal, cut if it is long. It may hold whatever a user named a folder.
 *
 * Returns @text; NULL: its name is enough, or where its file lies is not known.
 */
const char *tool_fields_folder(struct json_object *tools, struct json_object *tool, char text[TOOL_FOLDER_TEXT]);

#endif
